/** The unified graph at `/graphql`: over HTTP by Apollo Server, over WebSocket and server-sent events for those who take more. */
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { App } from '../subgraphs/shared/app.ts'
import { asServiceError, toGraphQL } from '../subgraphs/shared/errors.ts'
import { answerGraphFailure } from '../subgraphs/shared/graph/http.ts'
import { checkOperationText } from '../subgraphs/shared/graph/operation-text.ts'
import { authenticate, principalOf } from '../subgraphs/shared/http/authenticate.ts'

import { traceOf } from '../subgraphs/shared/http/trace.ts'
import { createStreams } from '../subgraphs/shared/streams/open-streams.ts'
import type { GraphRequest } from '../subgraphs/shared/streams/operation.ts'
import { registerWebSocket } from '../subgraphs/shared/streams/websocket.ts'
import { createContext, type GatewayContext } from './context.ts'
import type { Generation, Reach } from './generation.ts'
import { createServing, type Serving } from './serving.ts'
import { formatErrors } from './subscriptions/execute-event.ts'
import { createRun } from './subscriptions/run.ts'
import { registerSse } from './subscriptions/sse.ts'
import { followSupergraph, type SupergraphSource } from './supergraph-source.ts'

export interface GraphParts {
  readonly app: App
  readonly supergraph: SupergraphSource
  /** How the subgraphs are reached. */
  readonly reach: Reach
}

export interface RunningGraph {
  /** Ends connections that would stay open for ever; call it before the HTTP server is closed. */
  stopStreams(): Promise<void>
  stop(): Promise<void>
}

/** How many operations one connection may have at a time. */
const MAX_ACTIVE = 100

const contextOf = async (app: App, request: FastifyRequest): Promise<GatewayContext> => {
  const { headers, id: correlator } = request
  return createContext({
    principal: principalOf(request),
    authorization: headers.authorization!,
    correlator,
    trace: traceOf(headers),
    timeoutMs: app.config.requestTimeoutMs,
  })
}

/** The doors of clients that take more than one result; `stop` closes what is open. */
const registerStreams = (server: FastifyInstance, app: App, serving: Serving) => {
  const shared = { app, run: createRun({ app, serving }), streams: createStreams(app.config.maxStreams) }
  const closeSockets = registerWebSocket(server, {
    ...shared,
    maxActive: MAX_ACTIVE,
    formatErrors: errors => formatErrors(errors, app.log),
  })
  const sse = registerSse(server, shared)
  const stop = async () => {
    sse.stop()
    await closeSockets()
  }
  return { sse, stop }
}

/** Before it is parsed. */
const checkText = ({ body, query }: FastifyRequest): void => {
  try {
    checkOperationText(((body ?? query ?? {}) as GraphRequest).query)
  } catch (error) {
    throw toGraphQL(asServiceError(error))
  }
}

const createHandler = (app: App, { apollo }: Generation): RouteHandlerMethod =>
  fastifyApolloHandler(apollo, {
    async context(request) {
      const context = await contextOf(app, request)
      checkText(request)
      return context
    },
  })

/** Answers a request under the generation that serves when it comes, which then outlasts the request. */
const answerWith = (app: App, serving: Serving) => {
  const handlers = new WeakMap<Generation, RouteHandlerMethod>()
  const handlerOf = (generation: Generation) => {
    const handler = handlers.get(generation) ?? createHandler(app, generation)
    handlers.set(generation, handler)
    return handler
  }
  return (server: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => {
    const generation = serving.current()
    reply.raw.once('close', generation.enter())
    return handlerOf(generation).call(server, request, reply)
  }
}

/** Who asks: an operation without a valid token is refused before anything of it is read. */
const admit = (app: App) => {
  const check = authenticate(app)
  return (request: FastifyRequest, reply: FastifyReply) =>
    check(request, reply).catch(error => answerGraphFailure(error, request, reply))
}

/** Serves the graph. */
export async function registerGraph(server: FastifyInstance, parts: GraphParts): Promise<RunningGraph> {
  const { app, reach, supergraph } = parts
  const first = await supergraph.read()
  const serving = await createServing(app, reach, first)
  const unfollow = followSupergraph(supergraph, first, { replace: serving.replace, log: app.log })
  const { sse, stop: stopStreams } = registerStreams(server, app, serving)
  const answer = answerWith(app, serving)
  async function handler(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    return sse.wantsStream(request) ? sse.handler(request, reply) : answer(this, request, reply)
  }
  server.route({ method: ['GET', 'POST', 'OPTIONS'], url: '/graphql', onRequest: admit(app), handler })
  const stop = async () => {
    await unfollow()
    await serving.stop()
  }
  return { stopStreams, stop }
}
