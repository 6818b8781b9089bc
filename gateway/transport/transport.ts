/** The transport to a subgraph: its queries and its events, whichever process it is in. */
import type { GraphQLDataSource } from '@apollo/gateway'
import type { GatewayContext } from '../operation/context.ts'
import type { EventSource } from './event-source.ts'

/** The transport to one subgraph. */
export interface SubgraphTransport {
  readonly source: GraphQLDataSource<GatewayContext>
  readonly events: EventSource
}

/**
 * Finds the transport to the subgraph of this name, which the supergraph says to be at `url`; undefined when there is
 * none.
 */
export type TransportResolver = (name: string, url: string | undefined) => SubgraphTransport | undefined
