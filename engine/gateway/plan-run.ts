/** One execution of a plan, its steps, and the options by which its fetches are compiled. */
import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import type { FormattedExecutionResult } from 'graphql'
import type { GatewayContext } from '#gateway/operation/context.ts'
import type { Send } from '#gateway/supergraph/engine.ts'
import type { GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import type { Entity } from './collect.ts'
import type { Twins } from './twins.ts'

/** One execution of a plan. */
export interface PlanRun {
  /** Variables as the client sent them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly context: GatewayContext
  /** Apollo's context of the client's request, by which transports know this execution and its operation. */
  readonly request: NonNullable<Fetch['incomingRequestContext']>
  /** Data that was fetched so far. */
  readonly data: Entity
  /** Errors of all fetches so far, in the order in which they came. */
  readonly errors: unknown[]
  /** Event of a subscription: the result of its primary fetch. */
  readonly event?: FormattedExecutionResult
  /** Called with the id of each fetch that has one once it has ended: deferred fetches begin then. */
  readonly onFetched?: (id: string) => void
}

/** Step of a plan, executed on the data that earlier steps have fetched at its place. */
export type PlanStep = (run: PlanRun, data: unknown) => Promise<void> | undefined

/** Fetches that have ended, by their ids. */
export class Fetched {
  readonly #byId = new Map<string, PromiseWithResolvers<void>>()

  readonly ended = (id: string): void => this.#of(id).resolve()

  all(ids: readonly string[]): Promise<unknown> {
    return Promise.all(ids.map(id => this.#of(id).promise))
  }

  #of(id: string): PromiseWithResolvers<void> {
    const known = this.#byId.get(id) ?? Promise.withResolvers<void>()
    this.#byId.set(id, known)
    return known
  }
}

export interface FetchOptions {
  readonly node: FetchNode
  /** Place in the response that the fetch fills. */
  readonly path: ResponsePath
  readonly send: Send
  readonly supergraphSchema: GatewayInternals['supergraphSchema']
  readonly twins: Twins
}
