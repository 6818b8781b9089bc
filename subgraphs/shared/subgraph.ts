/** The composition root of a subgraph: what a service's `index.ts` names is put together here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSubgraphSchema } from '@apollo/subgraph'
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  isTypeExtensionNode,
  Kind,
  parse,
} from 'graphql'
import type { App } from './app.ts'
import type { Caller } from './caller.ts'
import { openBook } from './data/book.ts'
import { deliveryFields } from './graph/delivery-fields.ts'
import { eventQueries } from './graph/event-fields.ts'
import { createLoaders, createReads } from './graph/loaders.ts'
import { scalars } from './graph/scalars.ts'
import { type OpenApiDocument, readDocument } from './http/contract.ts'
import type { Operations } from './http/rest.ts'
import type { TransactionKind } from './transactions/kind.ts'
import type { Settlement } from './transactions/settle.ts'
import { type Settler, startSettler } from './transactions/settler.ts'
import { openStore, type TransactionStore } from './transactions/store.ts'

/** Background work of a subgraph beside settling. */
export interface Worker {
  /** Resolves when nothing that is committed by now is left to do. */
  idle(): Promise<void>
  /** Finishes what is under way and stops. */
  stop(): Promise<void>
}

/** What a service is made of. `Service` is its own set of functions, which both doors call. */
export interface SubgraphDefinition<Service, Body> {
  /** As in `names.ts`: the stem of `schema/<name>.graphql` and `schema/<name>.openapi.yaml`. */
  readonly name: string
  /** How its transactions are settled; absent for a subgraph that owns none. */
  readonly settlement?: Settlement<Body>
  service(app: App, store: TransactionStore<Body>): Service
  /** Begins background work of its own. */
  startWorker?(app: App): Promise<Worker>
  operations?(app: App, service: Service): Operations
  resolvers(app: App, service: Service): object
  /** Where its documents are, when not in `schema/`. */
  readonly documents?: string
}

/** A subgraph ready to be served, by REST and in the graph. */
export interface Subgraph {
  readonly name: string
  readonly schema: GraphQLSchema
  /** The transactions it owns, if any. */
  readonly kind?: TransactionKind
  readonly document?: OpenApiDocument
  readonly operations?: Operations
  /** The context of one graph request. */
  context(caller: Caller): object
  /** Begins background work; call once. */
  start(): Promise<void>
  /** Resolves when nothing posted is left to settle, or to follow. */
  settled(): Promise<void>
  /** Finishes what is under way. */
  stop(): Promise<void>
}

export type SubgraphFactory = (app: App) => Subgraph

const SCHEMA_FOLDER = join(import.meta.dirname, '../../schema')

const readSdl = (folder: string, name: string) => parse(readFileSync(join(folder, `${name}.graphql`), 'utf8'))

/** What a definition defines; an extension defines nothing anew. */
const nameOf = (definition: DefinitionNode) =>
  'name' in definition && !isTypeExtensionNode(definition) ? definition.name?.value : undefined

/** The SDL of a subgraph: its own document, and of what all have in common that which it does not define itself. */
export const typeDefsOf = (name: string, folder = SCHEMA_FOLDER): DocumentNode => {
  const own = readSdl(folder, name).definitions
  const named = new Set(own.map(nameOf))
  const common = readSdl(SCHEMA_FOLDER, 'common').definitions.filter(
    one => !nameOf(one) || !named.has(nameOf(one)),
  )
  return { kind: Kind.DOCUMENT, definitions: [...common, ...own] }
}

/** What `common.graphql` defines is resolved alike everywhere. */
const withCommon = (app: App, own: { Query?: object }) => ({
  ...scalars,
  WebhookDelivery: deliveryFields,
  ...own,
  Query: { ...own.Query, ...eventQueries(app) },
})

const noStore = undefined as unknown as TransactionStore<never>

/** Defines a subgraph: the result, given the process it runs in, is the running thing. */
export const defineSubgraph =
  <Service, Body = unknown>(definition: SubgraphDefinition<Service, Body>): SubgraphFactory =>
  app => {
    const { name, settlement, documents } = definition
    let settler: Settler | undefined
    let worker: Worker | undefined
    const store = settlement ? openStore<Body>(app, settlement.kind, () => settler?.wake()) : noStore
    const service = definition.service(app, store)
    const reads = createReads(app)
    const resolvers = withCommon(app, definition.resolvers(app, service))
    return {
      name,
      kind: settlement?.kind,
      schema: buildSubgraphSchema({ typeDefs: typeDefsOf(name, documents), resolvers: resolvers as never }),
      document: definition.operations && readDocument(name, documents),
      operations: definition.operations?.(app, service),
      context: caller => ({ caller, loaders: createLoaders(app, reads, store, caller) }),
      async start() {
        worker = await definition.startWorker?.(app)
        if (!settlement) return
        await openBook(app.db, settlement.kind.table)
        settler = startSettler(app, settlement)
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
