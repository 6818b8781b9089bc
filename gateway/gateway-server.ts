/** The gateway alone, over services that run as processes of their own: the graph, tokens, and one base address for REST. */
import type { FastifyInstance } from 'fastify'
import { registerTokenEndpoint } from '../subgraphs/shared/access/token-endpoint.ts'
import type { App } from '../subgraphs/shared/context/app.ts'
import { authenticate } from '../subgraphs/shared/http/authenticate.ts'
import { createHttp } from '../subgraphs/shared/http/create-http.ts'
import { registerHealth } from '../subgraphs/shared/http/health.ts'
import { registerMetrics } from '../subgraphs/shared/http/metrics.ts'
import { registerGraph } from './graph.ts'
import { registerPassThrough } from './rest-proxy/pass-through.ts'
import { supergraphSource } from './supergraph/source.ts'
import { createRemoteResolver } from './transport/remote/resolver.ts'
import { createUpstreams } from './upstream/upstreams.ts'

export interface GatewayServer {
  readonly http: FastifyInstance
  /** Finishes what is in flight and closes everything but the database. */
  stop(): Promise<void>
}

export interface GatewayOptions {
  /** How long a subgraph may be away before those who subscribed are told where to resume, in milliseconds. */
  readonly patienceMs?: number
}

/** Puts the gateway together; does not listen yet. */
export async function createGatewayServer(app: App, options: GatewayOptions = {}): Promise<GatewayServer> {
  const { config, log } = app
  const upstreams = createUpstreams({ urls: config.subgraphUrls, log, timeoutMs: config.requestTimeoutMs })
  const http = createHttp(app)
  let stopping = false
  registerMetrics(http, app)
  registerHealth(http, app, () => stopping)
  registerTokenEndpoint(http, app.access)
  await registerPassThrough(http, upstreams, { timeoutMs: config.requestTimeoutMs, admit: authenticate(app) })
  const graph = await registerGraph(http, {
    app,
    supergraph: supergraphSource(config),
    resolve: createRemoteResolver(app, upstreams, options.patienceMs),
  })
  const stop = async () => {
    stopping = true
    await graph.stopStreams()
    await http.close()
    await graph.stop()
    await upstreams.close()
  }
  return { http, stop }
}
