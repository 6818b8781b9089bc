/** The composition root of a subgraph: what a service's `index.ts` names is put together here. */

import type { Worker } from './async/worker.ts'
import { giveUpOrders } from './charging/backlog.ts'
import { startOrderSettler } from './connectors.ts'
import type { App } from './context/app.ts'
import { readDocument } from './contract/openapi.ts'
import { typeDefsOf } from './contract/sdl.ts'
import { buildSubgraphSchema } from './contract/subgraph-schema.ts'
import { ensureSequence } from './data/gapless-sequence.ts'
import { readsOnly } from './errors/catalogue.ts'
import { deliveryFields } from './graph/delivery-fields.ts'
import { eventQueries } from './graph/event-fields.ts'
import { createLoaders, readsOf } from './graph/loaders.ts'
import { createScalars } from './graph/scalars.ts'
import type { ServerParts, Subgraph } from './graph/subgraph.ts'
import { interventionFields } from './graph/transaction-fields.ts'
import type { Operations } from './http/rest.ts'
import type { TransactionKind } from './transactions/kind.ts'
import type { Settlement } from './transactions/settlement.ts'
import { startSettler } from './transactions/settler.ts'
import { openStore, type TransactionStore } from './transactions/store.ts'

interface DefinitionBase<Service> {
  /** As in `names.ts`: the stem of `schema/<name>.graphql` and `schema/<name>.openapi.yaml`. */
  readonly name: string
  /** Begins background work of its own. */
  startWorker?(app: App, kinds: readonly TransactionKind[]): Promise<Worker>
  operations?(app: App, service: Service): Operations
  /** Paths that no contract document has. */
  paths?(app: App, service: Service): (server: ServerParts) => void
  resolvers(app: App, service: Service): object
  /** Where its documents are, when not in `schema/`. */
  readonly documents?: string
}

/** A subgraph that owns one kind of transaction. */
interface TransactionSubgraph<Service, Body> extends DefinitionBase<Service> {
  /** How its transactions are settled. */
  readonly settlement: Settlement<Body>
  /** @param kinds every kind of transaction that there is, for a service that spans them. */
  service(app: App, store: TransactionStore<Body>, kinds: readonly TransactionKind[]): Service
}

/** A subgraph that owns none, and so has no store. */
interface PlainSubgraph<Service> extends DefinitionBase<Service> {
  readonly settlement?: undefined
  /** @param kinds every kind of transaction that there is, for a service that spans them. */
  service(app: App, kinds: readonly TransactionKind[]): Service
}

/** What a service is made of. `Service` is its own set of functions, which REST and GraphQL call. */
export type SubgraphDefinition<Service, Body> = TransactionSubgraph<Service, Body> | PlainSubgraph<Service>

/** Puts a subgraph together; `kinds` are those of all services. */
export type SubgraphFactory = (app: App, kinds: readonly TransactionKind[]) => Subgraph

/** Mutations of a process that changes nothing. */
const refused = (mutations: object) =>
  Object.fromEntries(
    Object.keys(mutations).map(name => [
      name,
      () => {
        throw readsOnly()
      },
    ]),
  )

/** What `common.graphql` defines is resolved alike everywhere. */
const withCommon = (app: App, own: { Query?: object; Mutation?: object }) => ({
  ...createScalars(app.config),
  WebhookDelivery: deliveryFields,
  Intervention: interventionFields,
  ...own,
  ...(app.config.readOnly && own.Mutation && { Mutation: refused(own.Mutation) }),
  Query: { ...own.Query, ...eventQueries(app) },
})

/** The service, with its store where it owns transactions. */
const openService = <Service, Body>(
  app: App,
  definition: SubgraphDefinition<Service, Body>,
  kinds: readonly TransactionKind[],
  onPosted: () => void,
) => {
  if (!definition.settlement) return { service: definition.service(app, kinds) }
  const store = openStore<Body>(app, definition.settlement.kind, onPosted, definition.documents)
  return { store, service: definition.service(app, store, kinds) }
}

/** By the ledger in the database itself, or by an outside system over its orders. */
const startSettling = async <Body>(app: App, settlement: Settlement<Body>): Promise<Worker> => {
  const system = app.charging.for(settlement.kind)
  if (!system.embedded) return startOrderSettler(app, settlement, system)
  await giveUpOrders(app.db, settlement.kind)
  return startSettler(app, settlement)
}

/** Defines a subgraph: the result, given the process it runs in, is the running thing. */
export const defineSubgraph =
  <Service, Body = unknown>(definition: SubgraphDefinition<Service, Body>): SubgraphFactory =>
  (app, kinds) => {
    const { name, settlement, documents } = definition
    let settler: Worker | undefined
    let worker: Worker | undefined
    const { service, store } = openService(app, definition, kinds, () => settler?.wake())
    const reads = readsOf(app)
    const resolvers = withCommon(app, definition.resolvers(app, service))
    return {
      name,
      kind: settlement?.kind,
      schema: buildSubgraphSchema({
        typeDefs: typeDefsOf(name, kinds, documents),
        resolvers,
      }),
      document: definition.operations && readDocument(name, documents),
      operations: definition.operations?.(app, service),
      addPaths: definition.paths?.(app, service),
      context: (caller, shared = {}) => ({
        caller,
        loaders: createLoaders(app, reads, store, caller, shared),
      }),
      async start() {
        worker = await definition.startWorker?.(app, kinds)
        if (!settlement) return
        await ensureSequence(app.db, settlement.kind.table)
        settler = await startSettling(app, settlement)
      },
      async settled() {
        await settler?.idle()
        await worker?.idle()
      },
      async stop() {
        await settler?.stop()
        await worker?.stop()
      },
    }
  }
