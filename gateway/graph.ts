/** The unified graph: Apollo Gateway over the subgraphs, served by Apollo Server at `/graphql`. */
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../subgraphs/shared/app.ts'
import { fromDatabase } from '../subgraphs/shared/data/failures.ts'
import { asServiceError, toGraphQL } from '../subgraphs/shared/errors.ts'
import { traceOf } from '../subgraphs/shared/http/trace.ts'
import { createStreams } from '../subgraphs/shared/streams/open-streams.ts'
import { registerWebSocket } from '../subgraphs/shared/streams/websocket.ts'
import { createContext, type GatewayContext } from './context.ts'
import { limitCost } from './cost.ts'
import { limits, parseOptions } from './limits.ts'
import { formatErrors } from './subscriptions/execute-event.ts'
import { createRun } from './subscriptions/run.ts'
import type { EventSource } from './subscriptions/source.ts'
import { registerSse } from './subscriptions/sse.ts'
import { takeSubscriptions } from './subscriptions/taken.ts'
import { executedIsOk, formatError } from './wire-errors.ts'

export interface GraphParts {
  readonly app: App
  readonly supergraphSdl: string
  /** How the subgraph of this name is reached. */
  source(name: string): GraphQLDataSource<GatewayContext>
  /** How its subscriptions are reached. */
  eventSource(name: string): EventSource
}

const createGateway = ({ app, supergraphSdl, source }: GraphParts) =>
  new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => source(name) as GraphQLDataSource,
    __exposeQueryPlanExperimental: false,
    logger: app.log,
  })

const createServer = (parts: GraphParts) => {
  const { plugins, validationRules } = limits()
  return new ApolloServer<GatewayContext>({
    gateway: createGateway(parts),
    nodeEnv: 'production',
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions,
    validationRules,
    plugins: [
      ...plugins,
      limitCost(),
      ApolloServerPluginLandingPageDisabled(),
      takeSubscriptions,
      executedIsOk,
    ],
    formatError: formatError(parts.app.log),
    logger: parts.app.log,
  })
}

/** How many operations one connection may have at a time. */
const MAX_ACTIVE = 100

/** Who asks: an operation without a valid token is refused before anything of it is looked at. */
const contextOf = async (app: App, request: FastifyRequest): Promise<GatewayContext> => {
  const { headers, id: correlator } = request
  const principal = await app.access.verify(headers.authorization).catch(error => {
    throw toGraphQL(fromDatabase(error) ?? asServiceError(error))
  })
  const timeoutMs = app.config.requestTimeoutMs
  return createContext({
    principal,
    correlator,
    timeoutMs,
    authorization: headers.authorization!,
    trace: traceOf(headers),
  })
}

/** The doors of clients that take more than one result; returns a function that closes what is open. */
const registerStreams = (
  server: FastifyInstance,
  parts: GraphParts,
  apollo: ApolloServer<GatewayContext>,
) => {
  const { app } = parts
  const shared = { app, run: createRun({ ...parts, apollo }), streams: createStreams(app.config.maxStreams) }
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

export interface RunningGraph {
  /** Ends connections that would stay open for ever; call it before the HTTP server is closed. */
  stopStreams(): Promise<void>
  stop(): Promise<void>
}

/** Serves the graph over HTTP, WebSocket and server-sent events. */
export async function registerGraph(server: FastifyInstance, parts: GraphParts): Promise<RunningGraph> {
  const apollo = createServer(parts)
  await apollo.start()
  const { sse, stop } = registerStreams(server, parts, apollo)
  const answer = fastifyApolloHandler(apollo, { context: request => contextOf(parts.app, request) })
  async function handler(this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
    return sse.wantsStream(request) ? sse.handler(request, reply) : answer.call(this, request, reply)
  }
  server.route({ method: ['GET', 'POST', 'OPTIONS'], url: '/graphql', handler })
  return { stopStreams: stop, stop: () => apollo.stop() }
}
