/** The gateway alone, over services that run as processes of their own: the graph, tokens, and one base address for REST. */
import type { App } from '#core/context/app.ts'
import { createServer, type Server, type ServerContext } from '#core/create-server.ts'
import { authenticate } from '#core/http/authenticate.ts'
import { registerGraph } from '#gateway/graph.ts'
import { registerPages } from '#gateway/pages/register.ts'
import { supergraphSource } from '#gateway/supergraph/source.ts'
import type { SubgraphTransport, TransportResolver } from '#gateway/transport/transport.ts'
import { registerExportProxy } from '#topology/rest-proxy/exports.ts'
import { registerPassThrough } from '#topology/rest-proxy/pass-through.ts'
import { createRemoteSource } from '#topology/transport/data-source.ts'
import { createRemoteEventSource } from '#topology/transport/events.ts'
import { processesBehind, readSubgraphs } from '#topology/upstream/processes-behind.ts'
import type { Upstream } from '#topology/upstream/upstream.ts'
import { createUpstreams, type Upstreams, upstreamCheck } from '#topology/upstream/upstreams.ts'

export interface GatewayServerOptions {
  /** The outage of a subgraph after which subscribers are ended with a cursor to resume from, in milliseconds. */
  readonly maxOutageMs?: number
}

const openUpstreams = ({ app, resources, checks, metrics }: ServerContext): Upstreams => {
  const { config, log } = app
  const upstreams = createUpstreams({ urls: config.subgraphUrls, log, timeoutMs: config.requestTimeoutMs })
  resources.add({ name: 'upstreams', stop: upstreams.close })
  checks.push(upstreamCheck(upstreams))
  metrics.describe('gateway', processesBehind(upstreams, config))
  app.metrics.graph.subgraphs.watch('behind', () => readSubgraphs(upstreams))
  return upstreams
}

/** Finds a subgraph's transport: the same for the same address under every supergraph, so that streams go on. */
const createRemoteResolver = (
  { config, log, access, metrics }: App,
  upstreams: Upstreams,
  { maxOutageMs }: GatewayServerOptions,
): TransportResolver => {
  const known = new WeakMap<Upstream, SubgraphTransport>()
  const createTransport = (upstream: Upstream): SubgraphTransport => {
    const { seal } = access.seals
    const source = createRemoteSource(upstream, upstreams, log, { ...config, seal })
    const capacity = config.subscriptionBuffer
    const onSlow = () => metrics.clients.slowReaders.inc()
    const events = { upstream, source, capacity, onSlow, maxOutageMs, seal, mayLag: config.readOnly }
    return { isRemote: true, source, events: createRemoteEventSource(events) }
  }
  return (name, url) => {
    const upstream = upstreams.of(name, url)
    if (!upstream) return undefined
    const transport = known.get(upstream) ?? createTransport(upstream)
    known.set(upstream, transport)
    return transport
  }
}

/** Puts the gateway together; does not listen yet. */
export const createGatewayServer = (app: App, options: GatewayServerOptions = {}): Promise<Server> =>
  createServer(app, async server => {
    const { config } = app
    const upstreams = openUpstreams(server)
    await registerPassThrough(server.http, upstreams, {
      timeoutMs: config.requestTimeoutMs,
      admit: authenticate(app),
    })
    registerExportProxy(server, upstreams)
    const supergraph = await registerGraph(server, {
      supergraph: supergraphSource(config),
      resolve: createRemoteResolver(app, upstreams, options),
    })
    registerPages(server, () => supergraph.current().apiSchema())
    return {}
  })
