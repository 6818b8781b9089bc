/** Reaches subgraphs in other processes: queries over HTTP, subscriptions over WebSocket. */

import type { App } from '#core/context/app.ts'
import type { SubgraphTransport, TransportResolver } from '#gateway/transport/transport.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import type { Upstreams } from '#topology/upstream/upstreams.ts'
import { createRemoteSource } from './data-source.ts'
import { createRemoteEventSource } from './events.ts'

/**
 * The same subgraph at the same address is reached by the same means under every supergraph, so that streams go on.
 * @param patienceMs how long a subgraph may be away before its subscribers are told, in milliseconds.
 */
export function createRemoteResolver(
  { config, log }: App,
  upstreams: Upstreams,
  patienceMs?: number,
): TransportResolver {
  const known = new WeakMap<Upstream, SubgraphTransport>()
  const capacity = config.subscriptionBuffer
  const reachOne = (upstream: Upstream): SubgraphTransport => {
    const source = createRemoteSource(upstream, upstreams, log, config)
    return { source, events: createRemoteEventSource({ upstream, source, capacity, patienceMs }) }
  }
  return (name, url) => {
    const upstream = upstreams.of(name, url)
    if (!upstream) return undefined
    const transport = known.get(upstream) ?? reachOne(upstream)
    known.set(upstream, transport)
    return transport
  }
}
