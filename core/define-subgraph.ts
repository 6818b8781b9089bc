/**
 * Composition root of a subgraph: puts together the parts that a service's `index.ts` names.
 *
 * Auditors read the records of who looked at whom and who did what, and nothing that those are about. Every other root
 * field of every subgraph refuses them, and no entity is found for them, so that a new field is closed to them too.
 */
import type { Worker } from './async/worker.ts'
import { giveUpOrders } from './charging/backlog.ts'
import { startOrderSettler } from './connectors.ts'
import type { App } from './context/app.ts'
import { readDocument } from './contract/openapi.ts'
import { typeDefsOf } from './contract/sdl.ts'
import { buildSubgraphSchema } from './contract/subgraph-schema.ts'
import { ensureSequence } from './data/gapless-sequence.ts'
import { readsOnly, ServiceError } from './errors/catalogue.ts'
import { createLoaders, type GraphContext } from './graph/loaders.ts'
import { readsOf } from './graph/reads.ts'
import { createScalars } from './graph/scalars.ts'
import type { PathHost, Subgraph } from './graph/subgraph.ts'
import { deliveryFields, eventQueries, interventionFields } from './graph/transaction-fields.ts'
import type { Operations } from './http/rest-operations.ts'
import type { Settlement, TransactionKind } from './transactions/kind.ts'
import { createTransactions, type Transactions, type Validate } from './transactions/service/transactions.ts'
import { startSettler } from './transactions/settle/settler.ts'
import { isObject } from './values/json.ts'

/** Root fields that an auditor may read. */
const FIELDS_OF_AUDITORS: ReadonlySet<string> = new Set(['me', 'accessRecords', 'auditLog'])

const ROOT_TYPES = ['Query', 'Mutation', 'Subscription']

type Resolve = (parent: unknown, args: unknown, context: GraphContext, info: unknown) => unknown

const isAuditor = ({ caller }: GraphContext): boolean => caller.principal.role === 'auditor'

const refusing =
  (name: string, resolve: Resolve): Resolve =>
  (parent, args, context, info) => {
    if (isAuditor(context))
      throw new ServiceError('PERMISSION_DENIED', `A client of role auditor may not call ${name}`)
    return resolve(parent, args, context, info)
  }

/** A root field: its resolver, or the stream of a subscription with the resolver of its events. */
const closedField = (name: string, field: unknown): unknown => {
  if (FIELDS_OF_AUDITORS.has(name)) return field
  if (typeof field === 'function') return refusing(name, field as Resolve)
  if (!isObject(field) || typeof field['subscribe'] !== 'function') return field
  return { ...field, subscribe: refusing(name, field['subscribe'] as Resolve) }
}

type FindEntity = (reference: unknown, context: GraphContext, info: unknown) => unknown

const closedEntity =
  (find: FindEntity): FindEntity =>
  (reference, context, info) =>
    isAuditor(context) ? null : find(reference, context, info)

const closedType = (name: string, fields: unknown): unknown => {
  if (!isObject(fields)) return fields
  if (ROOT_TYPES.includes(name))
    return Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, closedField(field, one)]))
  const find = fields['__resolveReference']
  return typeof find === 'function'
    ? { ...fields, __resolveReference: closedEntity(find as FindEntity) }
    : fields
}

/** The resolvers of a subgraph, closed to auditors but for the fields that are theirs. */
const closedToAuditors = (resolvers: object): object =>
  Object.fromEntries(Object.entries(resolvers).map(([name, fields]) => [name, closedType(name, fields)]))

interface DefinitionBase<Service> {
  /** Name as in `names.ts`: the stem of `schema/<name>.graphql` and `schema/<name>.openapi.yaml`. */
  readonly name: string
  /** Begins background work of its own. */
  startWorker?(app: App, kinds: readonly TransactionKind[]): Promise<Worker>
  operations?(app: App, service: Service): Operations
  /** Adds paths that no contract document has. */
  paths?(app: App, service: Service): (server: PathHost) => void
  resolvers(app: App, service: Service): object
  /**
   * Whether what it shows depends on the question, the client and the database alone, so that an answer may be given again: on no
   * clock, and on nothing that this process or another system knows. Fields that depend on more are named in
   * `gateway/operation/stored-answers.ts`.
   */
  readonly isOfDatabase?: boolean
  /** Folder of its documents, when not `schema/`. */
  readonly documents?: string
  /** Stem of its OpenAPI document, when that is not its name. */
  readonly contract?: string
}

/** A subgraph that owns one kind of transaction: `Body` is what a row holds, `Request` what create takes. */
interface TransactionSubgraph<Body, Request> extends DefinitionBase<Transactions<Body, Request>> {
  /** Settlement of its transactions. */
  readonly settlement: Settlement<Body>
  readonly validate: Validate<Request>
}

/** Subgraph that owns no transactions. `Service` is its own set of functions, which REST and the graph call. */
interface PlainSubgraph<Service> extends DefinitionBase<Service> {
  readonly settlement?: undefined
  /**
   * Makes its service.
   * @param kinds every kind of transaction that there is, for a service that spans them.
   */
  service(app: App, kinds: readonly TransactionKind[]): Service
}

/** Puts a subgraph together; `kinds` are those of all services. */
export type SubgraphFactory = (app: App, kinds: readonly TransactionKind[]) => Subgraph

/** Starts the settler of a kind: by the ledger in the database itself, or by an outside system over its orders. */
const startSettlerFor = async <Body>(app: App, settlement: Settlement<Body>): Promise<Worker> => {
  const system = app.charging.for(settlement.kind)
  if (!system.embedded) return startOrderSettler(app, settlement, system)
  await giveUpOrders(app.db, settlement.kind)
  return startSettler(app, settlement)
}

/** Mutations of a process that changes nothing, all of which refuse. */
const refused = (mutations: object) =>
  Object.fromEntries(
    Object.keys(mutations).map(name => [
      name,
      () => {
        throw readsOnly()
      },
    ]),
  )

/** Adds the resolvers of `common.graphql`, which all subgraphs share. */
const withCommon = (app: App, own: { Query?: object; Mutation?: object }) => ({
  ...createScalars(app.config),
  WebhookDelivery: deliveryFields,
  Intervention: interventionFields,
  ...own,
  ...(app.config.readOnly && own.Mutation && { Mutation: refused(own.Mutation) }),
  Query: { ...own.Query, ...eventQueries(app) },
})

/** Parts of a subgraph that depend on whether it owns transactions. */
interface Assembled<Service> {
  readonly service: Service
  /** Its transactions, and their settlement; absent in a subgraph that owns none. */
  readonly transactions?: Transactions
  readonly kind?: TransactionKind
  startSettling?(): Promise<Worker>
}

const assemble = <Service>(
  app: App,
  kinds: readonly TransactionKind[],
  definition: DefinitionBase<Service>,
  { service, transactions, kind, startSettling }: Assembled<Service>,
): Subgraph => {
  const { name, documents, contract = name } = definition
  const workers: Worker[] = []
  const reads = readsOf(app)
  return {
    name,
    kind,
    schema: buildSubgraphSchema({
      typeDefs: typeDefsOf(name, kinds, documents),
      resolvers: closedToAuditors(withCommon(app, definition.resolvers(app, service))),
    }),
    isOfDatabase: definition.isOfDatabase ?? false,
    document: definition.operations && readDocument(contract, documents),
    operations: definition.operations?.(app, service),
    addPaths: definition.paths?.(app, service),
    context: (caller, shared = {}) => ({
      caller,
      loaders: createLoaders(app, reads, transactions, caller, shared),
    }),
    async start() {
      const worker = await definition.startWorker?.(app, kinds)
      if (worker) workers.push(worker)
      if (startSettling) workers.unshift(await startSettling())
    },
    async settled() {
      for (const worker of workers) await worker.idle()
    },
    async stop() {
      for (const worker of workers) await worker.stop()
    },
  }
}

/** Defines a subgraph: makes the factory that builds it for the process it runs in. */
export function defineSubgraph<Body, Request>(definition: TransactionSubgraph<Body, Request>): SubgraphFactory
export function defineSubgraph<Service>(definition: PlainSubgraph<Service>): SubgraphFactory
export function defineSubgraph<Body, Request, Service>(
  definition: TransactionSubgraph<Body, Request> | PlainSubgraph<Service>,
): SubgraphFactory {
  return (app, kinds) => {
    if (!definition.settlement)
      return assemble(app, kinds, definition, { service: definition.service(app, kinds) })
    const { settlement, validate, documents } = definition
    const { kind } = settlement
    let settler: Worker | undefined
    const transactions = createTransactions<Body, Request>(app, kind, validate, {
      onPosted: () => settler?.wake(),
      documents,
    })
    return assemble(app, kinds, definition, {
      service: transactions,
      transactions,
      kind,
      async startSettling() {
        await ensureSequence(app.db, kind)
        settler = await startSettlerFor(app, settlement)
        return settler
      },
    })
  }
}
