/** Subgraph as the composition makes it from a service and servers serve it. */
import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/principal.ts'
import type { OrderedStop } from '../async/ordered-stop.ts'
import type { OpenApiDocument } from '../contract/openapi.ts'
import type { Operations } from '../http/rest-operations.ts'
import type { ConnectionLimit } from '../streams/connection.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import type { SharedByOperation } from './loaders.ts'

/** Server to which a service adds paths of its own. */
export interface PathHost {
  readonly http: FastifyInstance
  /** Limit of open streams. */
  readonly streams: ConnectionLimit
  /** Open responses, which are stopped before the HTTP server is closed. */
  readonly connections: Pick<OrderedStop, 'add'>
}

/** Subgraph that is ready to be served, by REST and in the graph. */
export interface Subgraph {
  readonly name: string
  readonly schema: GraphQLSchema
  /** Whether answers that it takes part in may be given again (`core/answers/answer-store.ts`). */
  readonly isOfDatabase?: boolean
  /** Kind of the transactions that it owns, if any. */
  readonly kind?: TransactionKind
  readonly document?: OpenApiDocument
  readonly operations?: Operations
  /** Adds paths that no contract document has. */
  readonly addPaths?: (server: PathHost) => void
  /**
   * Makes the context of one graph request.
   * @param shared loaders in common with other subgraphs of the same operation; none unless given.
   */
  context(caller: Caller, shared?: SharedByOperation): object
  /** Starts background work; to be called once. */
  start(): Promise<void>
  /** Resolves when all posted transactions are settled and projected. */
  settled(): Promise<void>
  /** Stops after the work that was begun. */
  stop(): Promise<void>
}
