/** A subgraph as it is served: what the composition makes of a service, and everything that serves one takes. */
import type { GraphQLSchema } from 'graphql'
import type { Caller } from '../access/caller.ts'
import type { OpenApiDocument } from '../contract/openapi.ts'
import type { Operations } from '../http/rest.ts'
import type { TransactionKind } from '../transactions/kind.ts'

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
  /** Resolves when nothing posted is left to settle, or to project. */
  settled(): Promise<void>
  /** Finishes what is under way. */
  stop(): Promise<void>
}
