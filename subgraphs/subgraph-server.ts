/** Server of one service in a process of its own: its REST paths, its subgraph, and its own background work. */

import { startBackgroundWork } from '#core/background-work.ts'
import type { App } from '#core/context/app.ts'
import { createServer, registerServices, type Server, type ServerContext } from '#core/create-server.ts'
import { createAdmit, MAX_TOKENS } from '#core/graph/admission.ts'
import { formatGraphError } from '#core/graph/error-format.ts'
import { createExecutor } from '#core/graph/executor.ts'
import { registerGraphHttp } from '#core/graph/http.ts'
import { createSubgraphRun } from '#core/graph/run.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { registerWebSocket } from '#core/streams/websocket.ts'
import type { Deliverer, DelivererOptions } from '#core/webhooks/deliverer.ts'
import { loadService } from './load.ts'

/** Most subscriptions of one connection: a gateway holds those of all its clients on few connections. */
const MAX_ACTIVE = 1_000

export interface SubgraphServer extends Server {
  readonly service: Subgraph
  readonly deliverer: Deliverer
}

/** Serves the subgraph over HTTP and WebSocket. */
const registerSubgraph = ({ app, http, connections, streams }: ServerContext, subgraph: Subgraph): void => {
  const hidden = app.config.introspection ? undefined : subgraph.schema
  const executor = createExecutor(subgraph, app, { maxTokens: MAX_TOKENS })
  const parts = { app, subgraph, executor, admit: createAdmit(app, subgraph, executor) }
  registerGraphHttp(http, parts)
  const closeSockets = registerWebSocket(http, {
    app,
    run: createSubgraphRun(parts),
    way: 'FETCH',
    streams,
    formatErrors: errors => errors.flatMap(error => formatGraphError(error, () => app.log, hidden)),
    maxActive: MAX_ACTIVE,
  })
  connections.add({ name: 'WebSocket connections', stop: closeSockets })
}

/**
 * Puts one service of `names.ts` together and starts its background work; does not listen yet.
 * @param delivery changes to the settings of the deliverer of webhooks.
 */
export const createSubgraphServer = async (
  app: App,
  name: string,
  delivery?: Partial<DelivererOptions>,
): Promise<SubgraphServer> => serveService(app, (await loadService(name))(app), delivery)

/** Serves a service that was made of the app already. */
export const serveService = (
  app: App,
  service: Subgraph,
  delivery?: Partial<DelivererOptions>,
): Promise<SubgraphServer> =>
  createServer(app, async server => {
    server.metrics.describe(service.name)
    const deliverer = await startBackgroundWork(server, [service], delivery)
    await registerServices(server, [service])
    registerSubgraph(server, service)
    return { service, deliverer }
  })
