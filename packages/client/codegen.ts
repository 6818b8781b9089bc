/** Types of the REST client, made from the OpenAPI documents; `npm run codegen` writes them. */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const SCHEMA = join(import.meta.dirname, '../../schema')
const NOTICE = '/** Generated from schema/ by `npm run codegen`; do not edit. */\n'
const FOLDER = 'packages/client/src/rest'

/** The generator is written for the programming interface of TypeScript 5, which 7 does not have. */
const load = async () => {
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

/** Names of the documents that partners call, those that are there. */
const documentsOf = (services: readonly string[]): string[] =>
  [...services, 'partner'].filter(name => existsSync(join(SCHEMA, `${name}.openapi.yaml`)))

const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The types of all paths together; each document's schemas are exported by its name. */
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
  const { default: openapiTS, astToString } = await load()
  const names = documentsOf(services)
  const files = await Promise.all(
    names.map(async name => {
      const nodes = await openapiTS(pathToFileURL(join(SCHEMA, `${name}.openapi.yaml`)))
      return { filename: `${FOLDER}/${name}.generated.ts`, content: `${NOTICE}${astToString(nodes)}` }
    }),
  )
  return [...files, { filename: `${FOLDER}/paths.generated.ts`, content: pathsFile(names) }]
}
