/** Context of an operation in the gateway: its caller, its deadline, and each subgraph's own context. */
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Caller, Principal } from '#core/access/principal.ts'
import { startDeadline } from '#core/async/deadline.ts'
import type { SharedByOperation } from '#core/graph/loaders.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { CORRELATOR } from '#core/http/pre-auth.ts'

export interface GatewayContext {
  readonly caller: Caller
  /** Headers for another process: the client's own token, the correlator, its place in a trace. */
  readonly headers: Readonly<Record<string, string>>
  /** Gives the context of a subgraph, the same for all fetches of the operation, which so share DataLoaders. */
  forSubgraph(subgraph: Subgraph): object
  /** Receives a subscription that has passed the limits; absent where none can be served. */
  readonly captured?: CapturedOperation
  /** Result of an operation that was executed before Apollo Server got it, which only formats it. */
  readonly executed?: Promise<object>
  /** Stops the clock of the operation. */
  done(): void
}

export interface ContextOptions {
  readonly principal: Principal
  /** `Authorization` header of the principal. */
  readonly authorization: string
  readonly correlator: string
  /** Trace headers of the request. */
  readonly trace?: Readonly<Record<string, string>>
  /** Time for the operation, in milliseconds. */
  readonly timeoutMs: number
  /** Part of that time that was spent before, in milliseconds; none unless given. */
  readonly spentMs?: number
}

/** Makes the context of an operation; its signal is aborted when the time is up. */
export function createContext(options: ContextOptions): GatewayContext {
  const { principal, authorization, correlator, trace, timeoutMs } = options
  const { signal, stop } = startDeadline(timeoutMs, options.spentMs)
  const caller: Caller = { principal, correlator, signal }
  const contexts = new Map<Subgraph, object>()
  const shared: SharedByOperation = {}
  return {
    caller,
    headers: { ...trace, authorization, [CORRELATOR]: correlator },
    done: stop,
    forSubgraph(subgraph) {
      const context = contexts.get(subgraph) ?? subgraph.context(caller, shared)
      contexts.set(subgraph, context)
      return context
    },
  }
}

/** Receiver of a subscription that passed Apollo Server; a request without one cannot subscribe. */
export interface CapturedOperation {
  /** A GET must not change anything. */
  readonly readOnly: boolean
  document?: DocumentNode
  operation?: OperationDefinitionNode
  /** Message of a validation that failed unexpectedly. */
  fault?: string
}
