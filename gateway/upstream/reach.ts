/** Reaches subgraphs in other processes: queries over HTTP, subscriptions over WebSocket. */
import type { App } from '../../subgraphs/shared/app.ts'
import type { Reach, Reached } from '../generation.ts'
import { createRemoteEventSource } from './events/remote-source.ts'
import { createRemoteSource } from './http-source.ts'
import type { Upstream } from './upstream.ts'
import type { Upstreams } from './upstreams.ts'

const reachOne = ({ config, log }: App, upstream: Upstream, upstreams: Upstreams): Reached => {
  const source = createRemoteSource(upstream, upstreams, log)
  const capacity = config.subscriptionBuffer
  return { source, events: createRemoteEventSource({ upstream, source, capacity }) }
}

/** The same subgraph at the same address is reached by the same means under every supergraph, so that streams go on. */
export function reachRemotely(app: App, upstreams: Upstreams): Reach {
  const known = new WeakMap<Upstream, Reached>()
  return (name, url) => {
    const upstream = upstreams.of(name, url)
    if (!upstream) return undefined
    const reached = known.get(upstream) ?? reachOne(app, upstream, upstreams)
    known.set(upstream, reached)
    return reached
  }
}
