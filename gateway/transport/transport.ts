/** The transport to a subgraph, in this process or another: its queries and its events. */

import type { FormattedExecutionResult } from 'graphql'
import type { Stream } from '#core/async/stream.ts'
import type { EventOrigin } from '#core/events/event.ts'
import type { Executed } from '#core/graph/executor.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { Primary, Variables } from '../operation/primary-fetch.ts'

/** A fetch of a plan: the part of Apollo Gateway's options that data sources here use. */
export interface Fetch {
  readonly request: {
    readonly query?: string
    readonly operationName?: string
    readonly variables?: Record<string, unknown>
  }
  readonly context: GatewayContext
  /** Operation of the client, where the fetch is part of one that came whole. */
  readonly incomingRequestContext?: { readonly operation?: { readonly operation: string } }
  /** The path of the fetch's entities in the client's response; `@` stands for each item of a list. */
  readonly pathInIncomingRequest?: readonly (string | number)[]
}

/** A data source, in terms of Apollo Gateway. */
export interface SubgraphSource {
  process(fetch: Fetch): Promise<FormattedExecutionResult>
}

/** One event of the owning subgraph. */
export interface SourceEvent {
  /** Id of the event, the same for all subscribers. */
  readonly id: string
  /** Its origin, for the span of its delivery; absent where the subgraph does not trace. */
  readonly origin?: EventOrigin | undefined
  /**
   * Reads the response of the primary fetch for this event: a new object each time, since results are merged into it.
   */
  read(context: GatewayContext): Promise<Executed>
}

/** Events as they come. */
export interface SourceStream extends Stream<SourceEvent> {
  /** The cursor of the last event taken. A stream that begins after it misses nothing and repeats nothing. */
  readonly cursor: string
}

/** A subscription of a client. */
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

/** The transport to one subgraph. */
export interface SubgraphTransport {
  /** Whether the subgraph runs in another process. */
  readonly isRemote?: boolean
  readonly source: SubgraphSource
  readonly events: EventSource
}

/** Finds the transport to the subgraph of this name, at `url` according to the supergraph; undefined where there is none. */
export type TransportResolver = (name: string, url: string | undefined) => SubgraphTransport | undefined
