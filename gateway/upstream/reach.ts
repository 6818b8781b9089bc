/** Reaches subgraphs in other processes: queries over HTTP, subscriptions over WebSocket. */
import type { App } from '../../subgraphs/shared/app.ts'
import type { Reach, Reached } from '../generation.ts'
import { createRemoteEventSource } from './events/remote-source.ts'
import { createRemoteSource } from './http-source.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'

/**
 * The same subgraph at the same address is reached by the same means under every supergraph, so that streams go on.
 * @param patienceMs how long a subgraph may be away before its subscribers are told, in milliseconds.
 */
export function reachRemotely({ config, log }: App, upstreams: Upstreams, patienceMs?: number): Reach {
  const known = new WeakMap<Upstream, Reached>()
  const capacity = config.subscriptionBuffer
  const reachOne = (upstream: Upstream): Reached => {
    const source = createRemoteSource(upstream, upstreams, log)
    return { source, events: createRemoteEventSource({ upstream, source, capacity, patienceMs }) }
  }
  return (name, url) => {
    const upstream = upstreams.of(name, url)
    if (!upstream) return undefined
    const reached = known.get(upstream) ?? reachOne(upstream)
    known.set(upstream, reached)
    return reached
  }
}
