/** One service as a process of its own serves it: its REST paths, its subgraph, and its own background work. */

import type { FastifyInstance } from 'fastify'
import { loadService } from './load.ts'
import { registerTokenEndpoint } from './shared/access/token-endpoint.ts'
import { portsOf, startBackgroundWork } from './shared/background-work.ts'
import type { App } from './shared/context/app.ts'
import { createAdmit, MAX_TOKENS } from './shared/graph/admission.ts'
import { formatGraphError } from './shared/graph/error-format.ts'
import { createExecutor } from './shared/graph/executor.ts'
import { registerGraphHttp } from './shared/graph/http.ts'
import { createSubgraphRun } from './shared/graph/run.ts'
import type { Subgraph } from './shared/graph/subgraph.ts'
import { createHttp } from './shared/http/create-http.ts'
import { registerHealth } from './shared/http/health.ts'
import { registerMetrics } from './shared/http/metrics.ts'
import { registerRest } from './shared/http/rest.ts'
import { createConnectionLimit } from './shared/streams/connection-limit.ts'
import { registerWebSocket } from './shared/streams/websocket.ts'
import type { Deliverer, DelivererOptions } from './shared/webhooks/deliverer.ts'

/** A gateway holds the subscriptions of all its clients on few connections. */
const MAX_ACTIVE = 1_000

export interface SubgraphServer {
  readonly http: FastifyInstance
  readonly service: Subgraph
  readonly deliverer: Deliverer
  /** Finishes what is in flight and closes everything but the database. */
  stop(): Promise<void>
}

/** Serves the subgraph over HTTP and WebSocket; returns a function that closes the connections that stay open. */
const registerGraph = (http: FastifyInstance, app: App, subgraph: Subgraph): (() => Promise<void>) => {
  const executor = createExecutor(subgraph, app.log, { maxTokens: MAX_TOKENS })
  const parts = { app, subgraph, executor, admit: createAdmit(app, subgraph, executor) }
  registerGraphHttp(http, parts)
  return registerWebSocket(http, {
    app,
    run: createSubgraphRun(parts),
    streams: createConnectionLimit(app.config.maxStreams),
    formatErrors: errors => errors.map(error => formatGraphError(error, app.log)),
    maxActive: MAX_ACTIVE,
  })
}

/**
 * Puts one service of `names.ts` together and starts its background work; does not listen yet.
 * @param delivery how its webhooks are sent, where it is to be otherwise.
 */
export const createSubgraphServer = async (
  app: App,
  name: string,
  delivery?: Partial<DelivererOptions>,
): Promise<SubgraphServer> => serveService(app, (await loadService(name))(app), delivery)

/** The same for a service that was made of the app already. */
export async function serveService(
  app: App,
  service: Subgraph,
  delivery?: Partial<DelivererOptions>,
): Promise<SubgraphServer> {
  const http = createHttp(app)
  let stopping = false
  registerMetrics(http, app)
  registerHealth(http, app, () => stopping)
  registerTokenEndpoint(http, app.access)
  const { document, operations } = service
  if (document && operations) await registerRest(http, app, document, operations)
  const closeStreams = registerGraph(http, app, service)
  const jobs = await startBackgroundWork(app, [service], { ports: portsOf(http), ...delivery })
  const stop = async () => {
    stopping = true
    await closeStreams()
    await http.close()
    await jobs.stop()
  }
  return { http, service, deliverer: jobs.deliverer, stop }
}
