/** The unified graph at `/graphql`: over HTTP by Apollo Server, over WebSocket and server-sent events for those who take more. */

import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { App } from '../subgraphs/shared/context/app.ts'
import type { ServerContext } from '../subgraphs/shared/create-server.ts'
import { toGraphQLError } from '../subgraphs/shared/errors/graphql-errors.ts'
import { SetupError } from '../subgraphs/shared/errors/setup-error.ts'
import { answerGraphFailure } from '../subgraphs/shared/graph/http.ts'
import { checkOperationText } from '../subgraphs/shared/graph/operation-text.ts'
import { authenticate, principalOf } from '../subgraphs/shared/http/authenticate.ts'
import { timeSpent } from '../subgraphs/shared/http/time-spent.ts'
import { traceOf } from '../subgraphs/shared/http/trace.ts'
import type { GraphRequest } from '../subgraphs/shared/streams/operation.ts'
import { registerWebSocket } from '../subgraphs/shared/streams/websocket.ts'
import { createHotRoute } from './compiled/hot-route.ts'
import { createContext, type GatewayContext } from './operation/context.ts'
import { contentTypeOf, notAcceptable, responseTypeOf } from './operation/response-type.ts'
import { createTrustedDocuments, type TrustedDocuments } from './operation/trusted-documents/documents.ts'
import { resolveRequest } from './operation/trusted-documents/http.ts'
import { formatErrors } from './subscriptions/execute-event.ts'
import { createGatewayRun } from './subscriptions/run.ts'
import { registerSse } from './subscriptions/sse.ts'
import { wantsStream } from './subscriptions/sse-request.ts'
import { requireFit, warnOfUnfit } from './supergraph/check-documents.ts'
import { createSupergraphManager, type SupergraphManager } from './supergraph/manager.ts'
import { type SupergraphSource, watchSupergraph } from './supergraph/source.ts'
import type { SupergraphVersion } from './supergraph/version.ts'
import type { TransportResolver } from './transport/transport.ts'

export interface GraphParts {
  readonly supergraph: SupergraphSource
  /** How the subgraphs are reached. */
  readonly resolve: TransportResolver
}

/** How many operations one connection may have at a time. */
const MAX_ACTIVE = 100

const contextOf = (app: App, request: FastifyRequest): GatewayContext => {
  const { headers, id: correlator } = request
  return createContext({
    principal: principalOf(request),
    authorization: headers.authorization!,
    correlator,
    trace: traceOf(headers),
    timeoutMs: app.config.requestTimeoutMs,
    spentMs: timeSpent(request),
  })
}

/** The transports for clients that take more than one result. */
const registerStreams = (
  { app, http, connections, streams }: ServerContext,
  manager: SupergraphManager,
  documents: TrustedDocuments,
) => {
  const shared = {
    app,
    run: createGatewayRun({ app, manager, documents }),
    streams,
  }
  const closeSockets = registerWebSocket(http, {
    ...shared,
    maxActive: MAX_ACTIVE,
    formatErrors: errors => formatErrors(errors, app),
  })
  connections.add({ name: 'WebSocket connections', stop: closeSockets })
  const sse = registerSse(http, shared)
  connections.add({ name: 'event streams', stop: sse.stop })
  return sse
}

/** Before it is parsed. */
const checkText = ({ body, query }: FastifyRequest): void => {
  try {
    checkOperationText(((body ?? query ?? {}) as GraphRequest).query)
  } catch (error) {
    throw toGraphQLError(error)
  }
}

/** What requests are executed in that were executed before Apollo Server got them. */
const executed = new WeakMap<FastifyRequest, GatewayContext>()

const createHandler = (app: App, { apollo }: SupergraphVersion): RouteHandlerMethod =>
  fastifyApolloHandler(apollo, {
    async context(request) {
      const known = executed.get(request)
      if (known) return known
      const context = contextOf(app, request)
      checkText(request)
      return context
    },
  })

/** Handles a request under the version that serves when it comes, which then outlasts the request. */
const handleWith = (app: App, manager: SupergraphManager) => {
  const handlers = new WeakMap<SupergraphVersion, RouteHandlerMethod>()
  const handlerOf = (version: SupergraphVersion) => {
    const handler = handlers.get(version) ?? createHandler(app, version)
    handlers.set(version, handler)
    return handler
  }
  const route = createHotRoute<SupergraphVersion>({
    contextOf: request => contextOf(app, request),
    async byApollo(version, request, reply, context) {
      if (context) executed.set(request, context)
      return handlerOf(version).call(request.server, request, reply)
    },
  })
  return (request: FastifyRequest, reply: FastifyReply) => {
    const version = manager.current()
    reply.raw.once('close', version.enter())
    return route(version, request, reply)
  }
}

type Step = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** What a step refuses is answered in a form that the client accepts. */
const orAnswer = (step: Step) => (request: FastifyRequest, reply: FastifyReply) =>
  step(request, reply).catch(error =>
    answerGraphFailure(error, request, reply, contentTypeOf(request.headers.accept)),
  )

/** Who asks: an operation without a valid token is refused before anything of it is read. */
const admit = (app: App) => orAnswer(authenticate(app))

/** What is asked for: a text, wherever it comes from, and an answer that the client accepts. */
const prepare = (documents: TrustedDocuments) =>
  orAnswer(async request => {
    resolveRequest(documents, request)
    if (!responseTypeOf(request.headers.accept) && !wantsStream(request)) throw notAcceptable()
  })

/** Told in one line: what a library says of a document may go on for pages. */
const asFault = (what: string) => (error: Error) => {
  const [why] = (error.message || error.name).split('\n')
  throw new SetupError(`${what}: ${why}`, { cause: error })
}

/** The supergraph, with whatever takes its place. */
const openSupergraph = async (
  { app, resources }: ServerContext,
  { supergraph, resolve }: GraphParts,
  documents: TrustedDocuments,
) => {
  const name = app.config.supergraph ?? 'schema/supergraph.graphql'
  const first = await supergraph.read().catch(asFault(`SUPERGRAPH ${name} cannot be read`))
  const known = [...documents].map(({ text }) => text)
  const manager = await createSupergraphManager(app, resolve, first, known).catch(
    asFault(`SUPERGRAPH ${name} cannot be served`),
  )
  resources.add({ name: 'supergraph', stop: manager.stop })
  requireFit(documents, manager.current().apiSchema, app.config)
  const replace = async (sdl: string) => {
    await manager.replace(sdl)
    warnOfUnfit(documents, manager.current().apiSchema, app)
  }
  const unwatch = watchSupergraph(supergraph, first, { replace, log: app.log })
  resources.add({ name: 'supergraph source', stop: unwatch })
  return manager
}

/** Serves the graph; what it returns says which supergraph. */
export async function registerGraph(server: ServerContext, parts: GraphParts): Promise<SupergraphManager> {
  const { app, http } = server
  const documents = createTrustedDocuments(app.config.trusted)
  const manager = await openSupergraph(server, parts, documents)
  const sse = registerStreams(server, manager, documents)
  const response = handleWith(app, manager)
  async function handler(request: FastifyRequest, reply: FastifyReply) {
    return wantsStream(request) ? sse.handler(request, reply) : response(request, reply)
  }
  http.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/graphql',
    onRequest: admit(app),
    preHandler: prepare(documents),
    handler,
    errorHandler: answerGraphFailure,
  })
  return manager
}
