/** Where events come from: the subgraph that owns them, in this process or, by the standard protocol, in another. */
import type { FetchNode } from '@apollo/query-planner'
import type { Executed } from '../../subgraphs/shared/graph/executor.ts'
import type { GatewayContext } from '../context.ts'
import type { Variables } from './planner.ts'

/** One event as the owning subgraph gives it. */
export interface SourceEvent {
  /** The same for the same event, whoever subscribes. */
  readonly id: string
  /** The answer of the primary fetch for this event: a new one each time, since results are merged into it. */
  read(context: GatewayContext): Promise<Executed>
}

/** A subgraph that can be subscribed to. */
export interface EventSource {
  /**
   * Subscribes to a plan's primary fetch. Ending the stream ends it at once.
   * @throws GraphQLError when the subgraph refuses.
   */
  subscribe(
    primary: FetchNode,
    variables: Variables,
    context: GatewayContext,
  ): Promise<AsyncGenerator<SourceEvent, undefined, undefined>>
}
