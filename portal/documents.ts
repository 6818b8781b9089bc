/**
 * Documents of the pages as code: beside each `*.graphql` file under `portal/src` a `*.generated.ts` with its operations as
 * texts, typed by their data and variables. Made by `npm run codegen`.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { generate } from '@graphql-codegen/cli'
import { type DocumentNode, Kind, type OperationDefinitionNode, parse, print } from 'graphql'

const SOURCES = join(import.meta.dirname, 'src')
const SCALARS = {
  Currency: 'string',
  DateTime: 'string',
  Decimal: { input: 'number | string', output: 'number' },
  ID: 'string',
  PhoneNumber: 'string',
}

interface GeneratedFile {
  readonly filename: string
  readonly content: string
}

const pascal = (name: string) => name[0]!.toUpperCase() + name.slice(1)

/** The names of the fragments that a text spreads, those within these fragments as well. */
const spreadIn = (text: string, document: DocumentNode, found = new Set<string>()): Set<string> => {
  for (const [, name] of text.matchAll(/\.\.\.\s*([A-Z_a-z]\w*)/g)) {
    if (name === 'on' || found.has(name!)) continue
    const fragment = document.definitions.find(
      one => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name,
    )
    if (!fragment) continue
    found.add(name!)
    spreadIn(print(fragment), document, found)
  }
  return found
}

/** An operation with the fragments that it needs, as a constant. */
const constantOf = (operation: OperationDefinitionNode, document: DocumentNode): string => {
  if (!operation.name) throw new Error('Each operation of the pages needs a name')
  const text = print(operation)
  const names = spreadIn(text, document)
  const fragments = document.definitions.filter(
    one => one.kind === Kind.FRAGMENT_DEFINITION && names.has(one.name.value),
  )
  const whole = [text, ...fragments.map(print)].join('\n\n')
  const name = pascal(operation.name.value)
  const suffix = pascal(operation.operation)
  const types = `GraphDocument<${name}${suffix}, ${name}${suffix}Variables>`
  return `export const ${name}Document = \`${whole.replaceAll(/[`\\$]/g, '\\$&')}\` as ${types}`
}

/** Generates the file beside a document. */
const generateOne = async (schema: string, file: string): Promise<GeneratedFile> => {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  const document = parse(text)
  const filename = `portal/src/${file.replace(/\.graphql$/, '.generated.ts')}`
  const [types] = await generate(
    {
      errorsOnly: true,
      silent: true,
      schema,
      documents: [text],
      generates: {
        [filename]: {
          plugins: ['typescript-operations'],
          config: {
            scalars: SCALARS,
            strictScalars: true,
            enumsAsTypes: true,
            skipTypename: true,
            immutableTypes: true,
            useTypeImports: true,
          },
        },
      },
    },
    false,
  )
  const operations = document.definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)
  const content = [
    `/** Generated from ${basename(file)} by \`npm run codegen\`; do not edit. */`,
    `import type { GraphDocument } from '#portal/graph/document.ts'`,
    '',
    types!.content.trim(),
    '',
    ...operations.map(one => `${constantOf(one, document)}\n`),
  ].join('\n')
  return { filename, content }
}

/** Generates the files of all documents, one after the other: the generator has its own parallelism. */
export async function generateDocuments(schema: string): Promise<GeneratedFile[]> {
  const files: GeneratedFile[] = []
  for (const file of globSync('**/*.graphql', { cwd: SOURCES }).toSorted())
    files.push(await generateOne(schema, file))
  return files
}
