/** The gateway alone, over services that run as processes of their own: the graph, tokens, and one base address for REST. */
import type { App } from '../subgraphs/shared/context/app.ts'
import { createServer, type Server, type ServerContext } from '../subgraphs/shared/create-server.ts'
import { authenticate } from '../subgraphs/shared/http/authenticate.ts'
import { registerGraph } from './graph.ts'
import { registerPages } from './pages/register.ts'
import { registerExportProxy } from './rest-proxy/exports.ts'
import { registerPassThrough } from './rest-proxy/pass-through.ts'
import { supergraphSource } from './supergraph/source.ts'
import { createRemoteResolver } from './transport/remote/resolver.ts'
import { upstreamCheck } from './upstream/health.ts'
import { createUpstreams, type Upstreams } from './upstream/upstreams.ts'

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
