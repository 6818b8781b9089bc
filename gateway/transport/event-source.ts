/** Where events come from: the subgraph that owns them, in this process or, by the standard protocol, in another. */

import type { Stream } from '#core/async/stream.ts'
import type { Executed } from '#core/graph/executor.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { Primary, Variables } from '../operation/primary-fetch.ts'

/** One event as the owning subgraph gives it. */
export interface SourceEvent {
  /** The same for the same event, whoever subscribes. */
  readonly id: string
  /** The response of the primary fetch for this event: a new one each time, since results are merged into it. */
  read(context: GatewayContext): Promise<Executed>
}

/** Events as they come. */
export interface SourceStream extends Stream<SourceEvent> {
  /** Where it stands: what it has given, and all before it. To begin after it is to miss nothing and repeat nothing. */
  readonly cursor: string
}

/** What is subscribed to, by whom. */
export interface SourceRequest {
  readonly primary: Primary
  readonly variables: Variables
  /** The cursor to begin after; undefined for what happens from now on. */
  readonly after: string | undefined
  readonly context: GatewayContext
}

/** A subgraph that can be subscribed to. */
export interface EventSource {
  /**
   * Subscribes. Ending the stream ends it at once.
   * @throws GraphQLError when the subgraph refuses.
   */
  subscribe(request: SourceRequest): Promise<SourceStream>
}
