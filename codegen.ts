/** `npm run codegen`: types of the graph and of the REST bodies, made from the documents in `schema/`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { compile } from 'json-schema-to-typescript'
import { parse } from 'yaml'
import { SERVICES } from './subgraphs/names.ts'

const ROOT = import.meta.dirname
const NOTICE = '/** Generated from schema/ by `npm run codegen`; do not edit. */'

const ROW = '../shared/transactions/kind.ts#TransactionRow'
const PAGE = '../shared/graph/connections.ts#CountedConnection'
const CONNECTED = ['Payment', 'Recharge', 'Message', 'Reward', 'Redemption']

/** What stands behind a type while it is resolved. */
const mappers = {
  ...Object.fromEntries(CONNECTED.flatMap(type => [[type, ROW], [`${type}Connection`, PAGE]])),
  Subscriber: '../shared/graph/parents.ts#SubscriberParent',
  Customer: '../shared/graph/parents.ts#CustomerParent',
}

const graphTypes = (name: string): CodegenConfig['generates'] => ({
  [`subgraphs/${name}/graph.generated.ts`]: {
    schema: [`schema/common.graphql`, `schema/${name}.graphql`],
    plugins: [{ add: { content: NOTICE } }, 'typescript', 'typescript-resolvers'],
    config: {
      federation: true,
      useTypeImports: true,
      enumsAsTypes: true,
      contextType: '../shared/graph/loaders.ts#GraphContext',
      mappers,
      scalars: { DateTime: 'Date', PhoneNumber: 'string', Currency: 'string', Decimal: '../shared/values/decimal.ts#Decimal' },
    },
  },
})

/** The component schemas as interfaces of the same names; references become names. */
const restTypes = async (name: string) => {
  const document = parse(readFileSync(join(ROOT, `schema/${name}.openapi.yaml`), 'utf8'))
  const text = JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/')
  const $defs = JSON.parse(text)
  const all = { title: 'Contract', type: 'object', $defs, properties: {}, additionalProperties: false }
  const content = await compile(all as never, 'Contract', {
    additionalProperties: false,
    bannerComment: NOTICE,
    unreachableDefinitions: true,
    format: false,
  })
  return { filename: `subgraphs/${name}/rest.generated.ts`, content }
}

/** Every generated file with its content. */
export async function generateAll(): Promise<{ filename: string; content: string }[]> {
  const graph = await generate(
    { cwd: ROOT, errorsOnly: true, generates: Object.assign({}, ...SERVICES.map(({ name }) => graphTypes(name))) },
    false,
  )
  const rest = await Promise.all(SERVICES.filter(service => service.rest).map(({ name }) => restTypes(name)))
  return [...graph, ...rest]
}

if (import.meta.main) {
  const { writeFileSync } = await import('node:fs')
  for (const { filename, content } of await generateAll()) writeFileSync(join(ROOT, filename), content)
}
