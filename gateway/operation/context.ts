/** The context of one operation in the gateway: its caller, its deadline, and each subgraph's own context. */
import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import type { Caller, Principal } from '#core/access/principal.ts'
import { startDeadline } from '#core/async/deadline.ts'
import type { SharedByOperation } from '#core/graph/loaders.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { CORRELATOR } from '#core/http/pre-auth.ts'

export interface GatewayContext {
  readonly caller: Caller
  /** What goes along to another process: the client's own token, the correlator, its place in a trace. */
  readonly headers: Readonly<Record<string, string>>
  /** The same for all fetches of the operation, so that its DataLoaders are shared among them. */
  forSubgraph(subgraph: Subgraph): object
  /** Where a subscription is put that has passed the limits; absent where none can be served. */
  readonly captured?: CapturedOperation
  /** What the operation was answered already, or why it failed: then nothing is executed, and that is only worded. */
  readonly executed?: Promise<object>
  /** Stops the clock of the operation. */
  done(): void
}

export interface ContextParts {
  readonly principal: Principal
  /** The `Authorization` value by which the principal is known. */
  readonly authorization: string
  readonly correlator: string
  /** The trace headers that came with the request. */
  readonly trace?: Readonly<Record<string, string>>
  /** How long the operation may take, in milliseconds. */
  readonly timeoutMs: number
  /** How much of that was spent before; nothing unless given. */
  readonly spentMs?: number
}

/** The context of one operation; its signal is aborted when the time is up. */
export function createContext(parts: ContextParts): GatewayContext {
  const { principal, authorization, correlator, trace, timeoutMs } = parts
  const { signal, stop } = startDeadline(timeoutMs, parts.spentMs)
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

/** Where a subscription that has passed is put; a request that has none of these cannot subscribe. */
export interface CapturedOperation {
  /** A GET must not change anything. */
  readonly readOnly: boolean
  document?: DocumentNode
  operation?: OperationDefinitionNode
  /** Why it could not even be validated. */
  fault?: string
}
