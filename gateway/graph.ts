/** The unified graph: Apollo Gateway over the subgraphs, served by Apollo Server at `/graphql`. */
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../subgraphs/shared/app.ts'
import { fromDatabase } from '../subgraphs/shared/data/failures.ts'
import { asServiceError, toGraphQL } from '../subgraphs/shared/errors.ts'
import { createContext, type GatewayContext } from './context.ts'
import { limits, parseOptions } from './limits.ts'
import { executedIsOk, formatError } from './wire-errors.ts'

export interface GraphParts {
  readonly app: App
  readonly supergraphSdl: string
  /** How the subgraph of this name is reached. */
  source(name: string): GraphQLDataSource<GatewayContext>
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
    plugins: [...plugins, ApolloServerPluginLandingPageDisabled(), executedIsOk],
    formatError: formatError(parts.app.log),
    logger: parts.app.log,
  })
}

/** Who asks: an operation without a valid token is refused before anything of it is looked at. */
const contextOf = async (app: App, request: FastifyRequest): Promise<GatewayContext> => {
  const principal = await app.access.verify(request.headers.authorization).catch(error => {
    throw toGraphQL(fromDatabase(error) ?? asServiceError(error))
  })
  return createContext({ principal, correlator: request.id, timeoutMs: app.config.requestTimeoutMs })
}

/**
 * Serves the graph over HTTP.
 * @returns a function that stops it.
 */
export async function registerGraph(
  server: FastifyInstance,
  parts: GraphParts,
): Promise<() => Promise<void>> {
  const apollo = createServer(parts)
  await apollo.start()
  const handler = fastifyApolloHandler(apollo, { context: request => contextOf(parts.app, request) })
  server.route({ method: ['GET', 'POST', 'OPTIONS'], url: '/graphql', handler })
  return () => apollo.stop()
}
