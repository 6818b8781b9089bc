/** Apollo Server and Apollo Gateway over one supergraph, with this project's limits, costs and error words. */

import { ApolloGateway } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import type { App } from '#core/context/app.ts'
import { captureSubscriptions } from '../operation/captured-operation.ts'
import type { GatewayContext } from '../operation/context.ts'
import { executedIsOk, formatError, placeErrors } from '../operation/error-format.ts'
import { toDataSource } from '../third-party/apollo-gateway.ts'
import type { SubgraphSource } from '../transport/transport.ts'
import { countRefused, limitCost, type SpendCost } from './cost.ts'
import type { GatewayEngine, SendOf } from './engine.ts'
import { wasFoundValid } from './found-valid.ts'
import { createPlanningGateway, type PlanningGateway } from './gateway.ts'
import { requireKnownOperation } from './known-operation.ts'
import { limits, parseOptions } from './limits.ts'
import { createDocumentStore, type PersistedQueries } from './operation-caches.ts'
import { teachScalars } from './scalars.ts'
import { limitValueDepth } from './value-depth.ts'

export interface ApolloParts {
  readonly app: App
  readonly supergraphSdl: string
  /** The source of a subgraph. @throws Error for one that is not known. */
  sourceOf(name: string, url?: string): SubgraphSource
  readonly engine: GatewayEngine | undefined
  readonly sendOf: SendOf
  readonly spendCost: SpendCost
  readonly persistedQueries: PersistedQueries
}

const createGateway = ({ app, supergraphSdl, sourceOf, engine, sendOf }: ApolloParts): PlanningGateway => {
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: !wasFoundValid(supergraphSdl),
    buildService: ({ name, url }) => toDataSource(sourceOf(name, url)),
    __exposeQueryPlanExperimental: false,
    logger: app.log,
  })
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => void teachScalars(apiSchema, app.config))
  return createPlanningGateway(gateway, { engine, sendOf })
}

/** Makes both; the server is still to be started. */
export function createApollo(parts: ApolloParts) {
  const { app, spendCost, persistedQueries } = parts
  const { introspection } = app.config
  const { plugins, validationRules: limitRules } = limits()
  const validationRules = [...limitRules, limitValueDepth]
  const gateway = createGateway(parts)
  const apollo = new ApolloServer<GatewayContext>({
    gateway,
    nodeEnv: 'production',
    introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: persistedQueries },
    validationRules,
    plugins: [
      ...plugins,
      requireKnownOperation,
      limitCost(spendCost),
      countRefused(app.usage),
      ApolloServerPluginLandingPageDisabled(),
      captureSubscriptions,
      placeErrors,
      executedIsOk,
    ],
    formatError: formatError(app, () => gateway.parts.schema),
    logger: app.log,
  })
  return { apollo, gateway, validationRules }
}
