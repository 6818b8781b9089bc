/** `npm run codegen`: types of the graph and of the REST bodies, and the pages' documents, made from `schema/`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { print } from 'graphql'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { parse } from 'yaml'
import { typeDefsOf } from './core/contract/sdl.ts'
import { apiSchemaOf } from './gateway/supergraph/api-schema.ts'
import { compose, subgraphDocuments } from './gateway/supergraph/document.ts'
import { generateClientTypes } from './packages/client/codegen.ts'
import { generateDocuments } from './portal/documents.ts'
import { loadKinds } from './subgraphs/load.ts'
import { SERVICES, type ServiceName } from './subgraphs/names.ts'

const ROOT = import.meta.dirname
const NOTICE = '/** Generated from schema/ by `npm run codegen`; do not edit. */'

const ROW = '../../core/transactions/columns.ts#SelectedRow'
const PAGE = '../../core/graph/connections.ts#TransactionPage'
const MONEY = '../../core/values/money.ts'
const KINDS = await loadKinds()
const CONNECTED = KINDS.map(({ typename }) => typename)

/** Values of a transaction's types in the resolvers of its owner. */
const TRANSACTIONS = Object.fromEntries(
  CONNECTED.flatMap(type => [
    [type, ROW],
    [`${type}Connection`, PAGE],
  ]),
)

/** Values of an event, and of its detail. */
const EVENTS = Object.fromEntries([
  ['TransactionEventConnection', '../../core/events/read.ts#EventConnection'],
  ...[...CONNECTED, 'Transaction'].flatMap(type =>
    [`${type}Event`, `${type}EventDetail`].map(name => [name, '../../core/events/event.ts#EventRow']),
  ),
])

/** Values of the entities that several subgraphs share. */
const ENTITIES: Record<string, string> = {
  WebhookDelivery: '../../core/webhooks/deliveries.ts#DeliveryRow',
  WebhookDeliveryConnection: '../../core/webhooks/deliveries.ts#DeliveryConnection',
  Intervention: '../../core/transactions/settle/intervene.ts#InterventionRow',
  SmsBatch: './batches/store.ts#BatchRow',
  SmsBatchProgress: './batches/store.ts#BatchProgress',
  Subscriber: '../../core/graph/directory-fields.ts#SubscriberEntity',
  Customer: '../../core/graph/directory-fields.ts#CustomerEntity',
  CustomerConnection: '../../core/graph/directory-fields.ts#CustomerPage',
  PartnerConnection: '../../core/access/partners.ts#PartnerPage',
  AccessRecord: '../../core/audit/access-records.ts#AccessRow',
  AccessRecordConnection: '../../core/audit/access-records.ts#AccessPage',
  AuditEntry: '../../core/audit/acts.ts#ActRow',
  AuditLogConnection: '../../core/audit/acts.ts#ActPage',
  Line: '../../core/directory/directory.ts#LineRecord',
  TimelineConnection: './timeline/read.ts#TimelinePage',
  TimelineEntry: './timeline/entry.ts#SelectedEntry',
  ActivitySummary: './summary/row.ts#SummaryRow',
  ClientRequest: '../../core/requests/read.ts#RequestRow',
  ClientRequestConnection: '../../core/requests/read.ts#RequestPage',
  RequestSum: '../../core/requests/sums.ts#RequestSumRow',
  ClientLimits: './limits.ts#ClientTerms',
  WebhookEndpoint: '../../core/webhooks/endpoints.ts#EndpointRow',
  Journey: './journey/journey.ts#JourneyView',
  JourneyStep: './journey/step.ts#JourneyStepView',
}

/** Value of a reference to a transaction, which another service resolves. */
const REFERENCE = { Transaction: './kinds.ts#TransactionReference' }

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
    // A kind is a name from a table or its `kind.ts`; it is checked when it is serialized.
    TransactionKind: 'string',
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
        Decimal: { input: `${MONEY}#Decimal`, output: `${MONEY}#ShownDecimal` },
      },
    },
  },
})

/** Generates the component schemas as interfaces of the same names; references become names. */
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

interface GeneratedFile {
  readonly filename: string
  readonly content: string
}

const COMMON_FILE = 'core/graph/common.generated.ts'
const IMPORT = /^import type \{ (.*) \} from '(.*)';$/gm
/** Top-level declaration with the comment before it, up to the next one. */
const DECLARATION =
  /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)? *(?:export )?type (\w+)[\s\S]*?(?=\n*(?:^\/\*\*|^ *(?:export )?type \w|(?![\s\S])))/gm

/** Names in a text, those in comments and literals left out. */
const namesIn = (text: string): Set<string> =>
  new Set(text.replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '').match(/[A-Za-z_]\w*/g))

/** Imports of a file as seen from a folder: local name, imported name, and module. */
const importsOf = (content: string) =>
  [...content.matchAll(IMPORT)].flatMap(([, names, from]) =>
    names!.split(', ').map(name => ({ name: name.replace(/^.* as /, ''), specifier: name, from: from! })),
  )

type Import = ReturnType<typeof importsOf>[number]

const writeImports = (imports: readonly Import[], text: string): string => {
  const names = namesIn(text)
  const used = Map.groupBy(
    imports.filter(({ name }) => names.has(name)),
    ({ from }) => from,
  )
  return Array.from(
    used,
    ([from, all]) => `import type { ${all.map(({ specifier }) => specifier).join(', ')} } from '${from}';\n`,
  ).join('')
}

/**
 * Finds the declarations that several files have with the same text and the same meaning: all names in it are common
 * as well, or are imported from core or a package.
 */
const commonOf = (files: readonly GeneratedFile[]): Map<string, string> => {
  const all = files.flatMap(({ content }) => [...content.matchAll(DECLARATION)])
  const byName = Map.groupBy(all, ([, name]) => name!)
  const own = new Set(
    files
      .flatMap(({ content }) => importsOf(content).filter(({ from }) => from.startsWith('./')))
      .map(({ name }) => name),
  )
  const common = new Map(
    [...byName].flatMap(([name, same]) =>
      same.length > 1 && same.every(([text]) => text === same[0]![0]) ? [[name, same[0]![0]] as const] : [],
    ),
  )
  const isOwn = (name: string) => own.has(name) || (byName.has(name) && !common.has(name))
  for (let found = true; found; ) {
    const unfit = [...common].filter(([, text]) => [...namesIn(text)].some(isOwn))
    for (const [name] of unfit) common.delete(name)
    found = unfit.length > 0
  }
  return common
}

/** Moves the declarations that the services have in common into a file of core, from which theirs import them. */
const withCommon = (files: readonly GeneratedFile[]): GeneratedFile[] => {
  const common = commonOf(files)
  const text = [...common.values()].join('\n\n').replaceAll(/^ *(?:export )?type (?=\w)/gm, 'export type ')
  const imports = files
    .flatMap(({ content }) => importsOf(content))
    .filter(({ from }) => !from.startsWith('./'))
  const unique = [...new Map(imports.map(one => [one.name, one])).values()]
  const fromCore = unique.map(one => ({ ...one, from: one.from.replace('../../core/', '../') }))
  const services = files.map(({ filename, content }) => {
    const kept = content.replaceAll(DECLARATION, (whole, name) => (common.has(name) ? '' : whole))
    const body = kept
      .replaceAll(IMPORT, '')
      .replace(NOTICE, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
    const shared = [...common.keys()].map(name => ({ name, specifier: name, from: `../../${COMMON_FILE}` }))
    return {
      filename,
      content: `${NOTICE}\n${writeImports([...importsOf(content), ...shared], body)}\n${body}\n`,
    }
  })
  const content = `${NOTICE}\n${writeImports(fromCore, text)}\n${text}\n`
  return [{ filename: COMMON_FILE, content }, ...services]
}

/** Generates every file. */
export async function generateAll(): Promise<GeneratedFile[]> {
  const generates = Object.assign({}, ...SERVICES.map(graphTypes))
  const graph = await generate({ cwd: ROOT, errorsOnly: true, silent: true, generates }, false)
  const names = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)
  const documents = await generateDocuments(apiSchemaOf(compose(subgraphDocuments(KINDS))))
  const rest = [...(await Promise.all(names.map(restTypes))), ...(await generateClientTypes(names))]
  return [...withCommon(graph), ...rest, ...documents]
}

const isCurrent = (filename: string, content: string) =>
  existsSync(join(ROOT, filename)) && readFileSync(join(ROOT, filename), 'utf8') === content

/** Writes files that changed; with `--check`, fails where one is out of date. */
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
