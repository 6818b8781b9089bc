/** The unified graph: over HTTP by Apollo Server, over WebSocket and server-sent events for streams of results. */
import type { ServerContext } from '#core/create-server.ts'
import { registerWebSocket } from '#core/streams/websocket.ts'
import { createGraphRoute } from './graph-route.ts'
import { createTrustedDocuments, type TrustedDocuments } from './operation/trusted-documents.ts'
import { formatErrors } from './subscriptions/execute-event.ts'
import { createGatewayRun } from './subscriptions/run.ts'
import { registerSse } from './subscriptions/sse.ts'
import type { SupergraphManager } from './supergraph/manager.ts'
import { openSupergraph, type SupergraphOptions } from './supergraph/open.ts'

/** The most operations that one connection may have at a time. */
const MAX_ACTIVE = 100

/** The transports for clients that take more than one result. */
const registerStreams = (
  { app, http, connections, streams }: ServerContext,
  manager: SupergraphManager,
  documents: TrustedDocuments,
) => {
  const schemaOf = () => manager.current().parts.schema
  const shared = {
    app,
    run: createGatewayRun({ app, manager, documents }),
    streams,
  }
  const closeSockets = registerWebSocket(http, {
    ...shared,
    maxActive: MAX_ACTIVE,
    formatErrors: errors => formatErrors(errors, app, schemaOf),
  })
  connections.add({ name: 'WebSocket connections', stop: closeSockets })
  const sse = registerSse(http, { ...shared, schemaOf })
  connections.add({ name: 'event streams', stop: sse.stop })
  return sse
}

/** Serves the graph; returns the manager of its supergraph. */
export async function registerGraph(
  server: ServerContext,
  parts: SupergraphOptions,
): Promise<SupergraphManager> {
  const { app, http } = server
  const documents = createTrustedDocuments(app.config.trusted)
  const manager = await openSupergraph(server, parts, documents)
  const { handler: stream } = registerStreams(server, manager, documents)
  http.route(createGraphRoute({ app, manager, documents, stream }))
  return manager
}
