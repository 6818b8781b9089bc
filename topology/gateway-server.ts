/** The gateway alone, over services that run as processes of their own: the graph, tokens, and one base address for REST. */
import type { App } from '#core/context/app.ts'
import { createServer, type Server, type ServerContext } from '#core/create-server.ts'
import { authenticate } from '#core/http/authenticate.ts'
import { registerGraph } from '#gateway/graph.ts'
import { registerPages } from '#gateway/pages/register.ts'
import { supergraphSource } from '#gateway/supergraph/source.ts'
import { registerExportProxy } from '#topology/rest-proxy/exports.ts'
import { registerPassThrough } from '#topology/rest-proxy/pass-through.ts'
import { createRemoteResolver } from '#topology/transport/resolver.ts'
import { upstreamCheck } from '#topology/upstream/health.ts'
import { createUpstreams, type Upstreams } from '#topology/upstream/upstreams.ts'

export interface GatewayOptions {
  /** How long a subgraph may be away before those who subscribed are told where to resume, in milliseconds. */
  readonly patienceMs?: number
}

const openUpstreams = ({ app, resources, checks }: ServerContext): Upstreams => {
  const { config, log } = app
  const upstreams = createUpstreams({ urls: config.subgraphUrls, log, timeoutMs: config.requestTimeoutMs })
  resources.add({ name: 'upstreams', stop: upstreams.close })
  checks.push(upstreamCheck(upstreams))
  return upstreams
}

/** Puts the gateway together; does not listen yet. */
export const createGatewayServer = (app: App, options: GatewayOptions = {}): Promise<Server> =>
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
      resolve: createRemoteResolver(app, upstreams, options.patienceMs),
    })
    registerPages(server, () => supergraph.current().apiSchema())
    return {}
  })
