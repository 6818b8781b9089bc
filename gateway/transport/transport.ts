/** The transport to a subgraph: its queries and its events, whichever process it is in. */
import type { FormattedExecutionResult } from 'graphql'
import type { GatewayContext } from '../operation/context.ts'
import type { EventSource } from './event-source.ts'

/** A fetch of a plan: as much of what Apollo Gateway tells its data sources as these ask for. */
export interface Fetch {
  readonly request: {
    readonly query?: string
    readonly operationName?: string
    readonly variables?: Record<string, unknown>
  }
  readonly context: GatewayContext
  /** The client's operation, where the fetch is part of one that came whole. */
  readonly incomingRequestContext?: { readonly operation?: { readonly operation: string } }
  /** Where in the client's answer the entities stand that the fetch is for; `@` stands for each item of a list. */
  readonly pathInIncomingRequest?: readonly (string | number)[]
}

/** What Apollo Gateway calls a data source. */
export interface SubgraphSource {
  process(fetch: Fetch): Promise<FormattedExecutionResult>
}

/** The transport to one subgraph. */
export interface SubgraphTransport {
  readonly source: SubgraphSource
  readonly events: EventSource
}

/**
 * Finds the transport to the subgraph of this name, which the supergraph says to be at `url`; undefined when there is
 * none.
 */
export type TransportResolver = (name: string, url: string | undefined) => SubgraphTransport | undefined
