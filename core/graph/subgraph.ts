/** A subgraph as it is served: what the composition makes of a service, and everything that serves one takes. */
import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/caller.ts'
import type { OrderedStop } from '../async/ordered-stop.ts'
import type { OpenApiDocument } from '../contract/openapi.ts'
import type { Operations } from '../http/rest.ts'
import type { ConnectionLimit } from '../streams/connection-limit.ts'
import type { TransactionKind } from '../transactions/kind.ts'
import type { SharedByOperation } from './directory-loaders.ts'

/** What of a server paths of a service's own are put into. */
export interface ServerParts {
  readonly http: FastifyInstance
  /** The limit of open streams. */
  readonly streams: ConnectionLimit
  /** Responses that would stay open: stopped before the HTTP server is closed. */
  readonly connections: Pick<OrderedStop, 'add'>
}

/** A subgraph ready to be served, by REST and in the graph. */
export interface Subgraph {
  readonly name: string
  readonly schema: GraphQLSchema
  /** The transactions it owns, if any. */
  readonly kind?: TransactionKind
  readonly document?: OpenApiDocument
  readonly operations?: Operations
  /** Adds paths that no contract document has. */
  readonly addPaths?: (server: ServerParts) => void
  /**
   * The context of one graph request.
   * @param shared what it has in common with the contexts of other subgraphs in the same operation; nothing unless given.
   */
  context(caller: Caller, shared?: SharedByOperation): object
  /** Begins background work; call once. */
  start(): Promise<void>
  /** Resolves when nothing posted is left to settle, or to project. */
  settled(): Promise<void>
  /** Finishes what is under way. */
  stop(): Promise<void>
}
