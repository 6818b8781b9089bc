/** `npm run codegen`: types of the graph and of the REST bodies, made from the documents in `schema/`. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { print } from 'graphql'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { parse } from 'yaml'
import { typeDefsOf } from './core/contract/sdl.ts'
import { loadKinds } from './subgraphs/load.ts'
import { SERVICES, type ServiceName } from './subgraphs/names.ts'

const ROOT = import.meta.dirname
const NOTICE = '/** Generated from schema/ by `npm run codegen`; do not edit. */'

const ROW = '../../core/transactions/columns.ts#SelectedRow'
const PAGE = '../../core/graph/connections.ts#TransactionPage'
const KINDS = await loadKinds()
const CONNECTED = KINDS.map(({ typename }) => typename)

/** What stands behind a transaction while its owner resolves it. */
const TRANSACTIONS = Object.fromEntries(
  CONNECTED.flatMap(type => [
    [type, ROW],
    [`${type}Connection`, PAGE],
  ]),
)

/** What stands behind an event, and behind its detail. */
const EVENTS = Object.fromEntries([
  ['TransactionEventConnection', '../../core/events/read.ts#EventConnection'],
  ...[...CONNECTED, 'Transaction'].flatMap(type =>
    [`${type}Event`, `${type}EventDetail`].map(name => [name, '../../core/events/event.ts#EventRow']),
  ),
])

/** What stands behind the entities that several subgraphs share. */
const ENTITIES: Record<string, string> = {
  WebhookDelivery: '../../core/webhooks/deliveries.ts#DeliveryRow',
  WebhookDeliveryConnection: '../../core/webhooks/deliveries.ts#DeliveryConnection',
  Intervention: '../../core/transactions/settle/intervene.ts#InterventionRow',
  SmsBatch: './batches/store.ts#BatchRow',
  SmsBatchProgress: './batches/store.ts#BatchProgress',
  Subscriber: '../../core/graph/entities.ts#SubscriberEntity',
  Customer: '../../core/graph/entities.ts#CustomerEntity',
  CustomerConnection: '../../core/graph/directory-fields.ts#CustomerPage',
  PartnerConnection: '../../core/access/partners.ts#PartnerPage',
  Line: '../../core/directory/directory.ts#LineRecord',
  TimelineConnection: './timeline/read.ts#TimelinePage',
  TimelineEntry: './timeline/entry.ts#SelectedEntry',
  ActivitySummary: './summary/rows.ts#SummaryRow',
}

/** What stands behind a transaction that another service resolves. */
const REFERENCE = { Transaction: './reference.ts#TransactionReference' }

/** A kind comes from a table, or from its `kind.ts`; that the graph has it is checked as it is written. */
const KIND = { TransactionKind: 'string' }

const readText = (file: string) => readFileSync(join(ROOT, 'schema', file), 'utf8')

const readSchemas = (name: string): Record<string, JSONSchema> =>
  parse(readText(`${name}.openapi.yaml`)).components.schemas

/** A group of the contract is resolved from the REST body that holds it; only types of the SDL can be mapped. */
const mappersOf = ({ name, rest }: ServiceName) => {
  const sdl = print(typeDefsOf(name, KINDS))
  const groups = rest
    ? Object.keys(readSchemas(name)).map(type => [type, `./rest.generated.ts#${type} as Rest${type}`])
    : []
  const all = Object.entries({
    ...Object.fromEntries(groups),
    ...(rest ? TRANSACTIONS : REFERENCE),
    ...EVENTS,
    ...ENTITIES,
    ...KIND,
  })
  return Object.fromEntries(
    all.filter(
      ([type]) => new RegExp(`^(type|interface|enum) ${type}\\b`, 'm').test(sdl) && type !== 'Webhook',
    ),
  )
}

const graphTypes = (service: ServiceName): CodegenConfig['generates'] => ({
  [`subgraphs/${service.name}/graph.generated.ts`]: {
    schema: print(typeDefsOf(service.name, KINDS)),
    plugins: [{ add: { content: NOTICE } }, 'typescript', 'typescript-resolvers'],
    config: {
      federation: true,
      useTypeImports: true,
      enumsAsTypes: true,
      contextType: '../../core/graph/loaders.ts#GraphContext',
      mappers: mappersOf(service),
      scalars: {
        DateTime: { input: '../../core/values/time.ts#Moment', output: 'Date' },
        PhoneNumber: 'string',
        Currency: 'string',
        Decimal: '../../core/values/decimal.ts#Decimal',
      },
    },
  },
})

/** The component schemas as interfaces of the same names; references become names. */
const restTypes = async (name: string) => {
  const text = JSON.stringify(readSchemas(name)).replaceAll('#/components/schemas/', '#/$defs/')
  const $defs = JSON.parse(text)
  const all: JSONSchema = {
    title: 'Contract',
    type: 'object',
    $defs,
    properties: {},
    additionalProperties: false,
  }
  const content = await compile(all, 'Contract', {
    additionalProperties: false,
    bannerComment: NOTICE,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    format: false,
  })
  return { filename: `subgraphs/${name}/rest.generated.ts`, content }
}

/** Every generated file with its content. */
export async function generateAll(): Promise<{ filename: string; content: string }[]> {
  const graph = await generate(
    { cwd: ROOT, errorsOnly: true, silent: true, generates: Object.assign({}, ...SERVICES.map(graphTypes)) },
    false,
  )
  const rest = await Promise.all(SERVICES.filter(service => service.rest).map(({ name }) => restTypes(name)))
  return [...graph, ...rest]
}

const isCurrent = (filename: string, content: string) =>
  existsSync(join(ROOT, filename)) && readFileSync(join(ROOT, filename), 'utf8') === content

/** `--check` compares instead of writing, and fails where a file is not what the documents give. */
async function main(check: boolean) {
  const files = await generateAll()
  const stale = files.filter(({ filename, content }) => !isCurrent(filename, content))
  if (!check) for (const { filename, content } of stale) writeFileSync(join(ROOT, filename), content)
  else if (stale.length > 0) {
    console.error(`Run npm run codegen: out of date are ${stale.map(({ filename }) => filename).join(', ')}`)
    process.exitCode = 1
  }
}

if (import.meta.main) await main(process.argv.includes('--check'))
