/** The unified graph: over HTTP by Apollo Server, over WebSocket and server-sent events for streams of results. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#core/context/app.ts'
import type { ServerContext } from '#core/create-server.ts'
import { respondGraphFailure } from '#core/graph/http.ts'
import { checkOperationText } from '#core/graph/operation-limits.ts'
import { authenticate, principalOf } from '#core/http/authenticate.ts'
import { serveDirectly } from '#core/http/direct-way.ts'
import type { HttpReply, HttpRequest } from '#core/http/exchange.ts'
import { timeSpent, traceOf } from '#core/http/observe.ts'
import { holdUntilClosed } from '#core/http/responses.ts'
import type { FormatName } from '#core/http/row-files.ts'
import type { GraphRequest } from '#core/streams/result-stream.ts'
import { registerWebSocket } from '#core/streams/websocket.ts'
import { type Query, requireUtf8 } from '#core/values/text.ts'
import { takesParts } from './deferral/accept.ts'
import { sendOnlyPart, sendParts } from './deferral/multipart.ts'
import { createFiles } from './files/serve.ts'
import { registerMcp } from './mcp/route.ts'
import {
  contentTypeOf,
  createContext,
  fileFormatOf,
  type GatewayContext,
  notAcceptable,
  responseTypeOf,
  wantsStream,
} from './operation/context.ts'
import { beginExplanation } from './operation/explain.ts'
import { formatParts } from './operation/format-parts.ts'
import { executeAll } from './operation/stored-answers.ts'
import {
  createTrustedDocuments,
  resolveRequest,
  type TrustedDocuments,
} from './operation/trusted-documents.ts'
import { createGatewayRun } from './subscriptions/run.ts'
import { registerSse } from './subscriptions/sse.ts'
import { formatErrors } from './subscriptions/versioned-stream.ts'
import { toRefusal } from './supergraph/cost.ts'
import { openSupergraph, type SupergraphOptions } from './supergraph/open.ts'
import type { SupergraphManager, SupergraphVersion } from './supergraph/version.ts'
import { apolloHandler } from './third-party/apollo-fastify.ts'

type Step<Result> = (request: HttpRequest, reply: HttpReply) => Result

/** Responds to a failure in a form that the client accepts. */
const refuse = (error: Error, request: HttpRequest, reply: HttpReply): HttpReply =>
  respondGraphFailure(error, request, reply, contentTypeOf(request.headers.accept))

/** Responds to the failure of a step. */
const orRefuse =
  (step: Step<Promise<void> | void>) => async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await step(request, reply)
    } catch (error) {
      return refuse(error as Error, request, reply)
    }
  }

/** Finds the text of the operation, wherever it comes from, and requires a response type that the client accepts. */
const prepareWith =
  (documents: TrustedDocuments) =>
  (request: HttpRequest): void => {
    if (request.method === 'GET') requireUtf8(request.query as Query)
    resolveRequest(documents, request)
    const { accept } = request.headers
    const isLong = wantsStream(request) || fileFormatOf(accept) || takesParts(accept)
    if (!responseTypeOf(accept) && !isLong) throw notAcceptable()
  }

const contextOf = (app: App, request: HttpRequest): GatewayContext => {
  const { headers, id: correlator } = request
  const facts = request.facts!
  beginExplanation(app, request)
  return createContext({
    principal: principalOf(request),
    user: facts.user,
    trail: app.accessRecords.trailOf(facts),
    authorization: headers.authorization!,
    correlator,
    trace: traceOf(headers),
    timeoutMs: app.config.requestTimeoutMs,
    spentMs: timeSpent(request),
    takesParts: takesParts(headers.accept),
  })
}

/** Checks size and quota of an operation, and waits for the client's turn to have it parsed. */
const admitText = async (
  { usage }: App,
  { body, query }: HttpRequest,
  { principal, signal }: GatewayContext['caller'],
): Promise<void> => {
  try {
    checkOperationText(((body ?? query ?? {}) as GraphRequest).query)
    usage.checkCost(principal)
    await usage.turn(principal)
    signal.throwIfAborted()
  } catch (error) {
    throw toRefusal(error)
  }
}

const takesOnlyParts = ({ headers: { accept } }: HttpRequest): boolean =>
  takesParts(accept) && !responseTypeOf(accept)

/** Handlers of one version. */
interface VersionHandlers {
  /** Gives the text of a whole response. */
  readonly whole: Step<Promise<string>>
  /** Responds as a whole or in parts, as the client takes it. */
  readonly any: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** Makes the handlers of one version: Apollo Server's, behind the engine's fast path where there is one. */
const createVersionHandlers = (
  { app, answerOrRepeat = executeAll }: GraphRouteOptions,
  version: SupergraphVersion,
): VersionHandlers => {
  /** Contexts of requests, also of those that were executed before Apollo Server received them. */
  const contexts = new WeakMap<HttpRequest, GatewayContext>()
  const apollo = apolloHandler(version.apollo, async request => {
    const known = contexts.get(request)
    if (known) return known
    const context = contextOf(app, request)
    contexts.set(request, context)
    await admitText(app, request, context.caller)
    return context
  })
  const byApollo = (request: HttpRequest, reply: HttpReply, context?: GatewayContext): Promise<string> => {
    if (context) contexts.set(request, context)
    return apollo(request, reply)
  }
  const { operations, persistedQueries, spendCost, extensionsOf } = version
  const options = { contextOf: (request: HttpRequest) => contextOf(app, request), byApollo, answerOrRepeat }
  const whole =
    operations?.createFastPath({ ...options, persistedQueries, spendCost, extensionsOf }) ?? byApollo
  return {
    whole,
    async any(request, reply) {
      const isInParts = takesOnlyParts(request)
      const text = await (isInParts ? byApollo : whole)(request, reply)
      const { parts } = contexts.get(request)?.delivery ?? {}
      if (parts) return sendParts(reply, text, formatParts(parts, app, version.parts.schema))
      return isInParts && reply.statusCode === 200 ? sendOnlyPart(reply, text) : text
    },
  }
}

/** Makes the function that finds the handlers of the current version, which is kept until the request ends. */
const createEnter = (options: GraphRouteOptions): Step<VersionHandlers> => {
  const handlers = new WeakMap<SupergraphVersion, VersionHandlers>()
  return (request, reply) => {
    const version = options.manager.current()
    holdUntilClosed(request, reply, version.enter())
    const ofVersion = handlers.get(version) ?? createVersionHandlers(options, version)
    handlers.set(version, ofVersion)
    return ofVersion
  }
}

export interface GraphRouteOptions extends Pick<SupergraphOptions, 'answerOrRepeat'> {
  readonly app: App
  readonly manager: SupergraphManager
  readonly documents: TrustedDocuments
  /** Responds to requests for server-sent events. */
  stream(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
  /** Responds to requests for a file. */
  file(request: FastifyRequest, reply: FastifyReply, format: FormatName): Promise<unknown>
}

const ROUTE = { method: 'POST', url: '/graphql', config: { way: 'GRAPH', hasValidator: true } } as const

/** Types of responses that come piece by piece. */
const IN_PIECES = /event-stream|csv|ndjson|multipart/i

/** Registers the route with the steps of a request, from its token to its response. */
function registerGraphRoute(http: FastifyInstance, options: GraphRouteOptions): void {
  const { app, documents, stream, file } = options
  const enter = createEnter(options)
  const admit = authenticate(app)
  const prepare = prepareWith(documents)
  http.route({
    method: ['GET', 'POST'],
    url: ROUTE.url,
    config: ROUTE.config,
    onRequest: orRefuse(admit),
    preHandler: orRefuse(prepare),
    handler: async (request, reply) => {
      if (wantsStream(request)) return stream(request, reply)
      const format = fileFormatOf(request.headers.accept)
      return format ? file(request, reply, format) : enter(request, reply).any(request, reply)
    },
    errorHandler: respondGraphFailure,
  })
  serveDirectly(http, {
    ...ROUTE,
    takes: accept => accept === undefined || !IN_PIECES.test(accept),
    admit,
    prepare,
    respond: (request, reply) => enter(request, reply).whole(request, reply),
    refuse,
    fail: respondGraphFailure,
  })
}

/** The most operations that one connection may have at a time. */
const MAX_ACTIVE = 100

/** The transports for clients that take more than one result, and files of many pages. */
const registerStreams = (
  { app, http, connections, streams }: ServerContext,
  manager: SupergraphManager,
  documents: TrustedDocuments,
) => {
  const schemaOf = () => manager.current().parts.schema
  const run = createGatewayRun({ app, manager, documents })
  const shared = { app, run, streams }
  const closeSockets = registerWebSocket(http, {
    ...shared,
    way: 'STREAM',
    maxActive: MAX_ACTIVE,
    formatErrors: errors => formatErrors(errors, app, schemaOf),
  })
  connections.add({ name: 'WebSocket connections', stop: closeSockets })
  const sse = registerSse(http, { ...shared, schemaOf })
  connections.add({ name: 'event streams', stop: sse.stop })
  const files = createFiles({ app, manager, streams })
  connections.add({ name: 'files of results', stop: files.stop })
  return { stream: sse.handler, file: files.handler, run }
}

/** Serves the graph; returns the manager of its supergraph. */
export async function registerGraph(
  server: ServerContext,
  parts: SupergraphOptions,
): Promise<SupergraphManager> {
  const { app, http } = server
  const documents = createTrustedDocuments(app.config.trusted)
  app.metrics.requests.keep([...documents].flatMap(({ operationName = [] }) => operationName))
  const manager = await openSupergraph(server, parts, documents)
  const { run, ...long } = registerStreams(server, manager, documents)
  registerGraphRoute(http, { app, manager, documents, ...parts, ...long })
  await registerMcp(server, { manager, documents, run })
  return manager
}
