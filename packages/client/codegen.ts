/** Generator of the REST client's types from the OpenAPI documents, for `npm run codegen`. */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const SCHEMA = join(import.meta.dirname, '../../schema')
const NOTICE = '/** Generated from schema/ by `npm run codegen`; do not edit. */\n'
const FOLDER = 'packages/client/src/rest'

/** Loads `openapi-typescript` over TypeScript 5: version 7 lacks the programming interface that it needs. */
const loadGenerator = async () => {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(
        name === 'typescript' && context.parentURL?.includes('openapi-typescript') ? 'typescript-5' : name,
        context,
      ),
  })
  try {
    return await import('openapi-typescript')
  } finally {
    hooks.deregister()
  }
}

/** Finds the names of the documents that partners call. A service without a REST contract has none. */
const documentsOf = (services: readonly string[]): string[] =>
  [...services, 'partner'].filter(name => existsSync(join(SCHEMA, `${name}.openapi.yaml`)))

const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Writes the file that joins the paths of all documents, and exports each document's schemas by its name. */
const pathsFile = (names: readonly string[]): string => {
  const imports = names.map(
    name =>
      `import type { components as ${camel(name)}, paths as ${camel(name)}Paths } from './${name}.generated.ts'`,
  )
  const exported = names.map(name => {
    const type = camel(name)
    return `export type ${type[0]!.toUpperCase()}${type.slice(1)}Schemas = ${type}['schemas']`
  })
  const all = `export type paths = ${names.map(name => `${camel(name)}Paths`).join(' & ')}`
  return `${NOTICE}${imports.join('\n')}\n\n${exported.join('\n')}\n\n/** Every path of the REST contracts. */\n${all}\n`
}

/** Generates the files. @param services names of the services with a REST contract. */
export async function generateClientTypes(services: readonly string[]) {
  const { default: openapiTS, astToString } = await loadGenerator()
  const names = documentsOf(services)
  const files = await Promise.all(
    names.map(async name => {
      const nodes = await openapiTS(pathToFileURL(join(SCHEMA, `${name}.openapi.yaml`)))
      return { filename: `${FOLDER}/${name}.generated.ts`, content: `${NOTICE}${astToString(nodes)}` }
    }),
  )
  return [...files, { filename: `${FOLDER}/paths.generated.ts`, content: pathsFile(names) }]
}
