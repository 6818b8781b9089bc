/** One version of the supergraph in service, and everything that is made of it. */

import { ApolloGateway, type ServiceMap } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { type DocumentNode, type FormattedExecutionResult, validate } from 'graphql'
import { SingleFlight } from '../../subgraphs/shared/async/single-flight.ts'
import { createUseCounter } from '../../subgraphs/shared/async/use-counter.ts'
import type { App } from '../../subgraphs/shared/context/app.ts'
import { captureSubscriptions } from '../operation/captured-operation.ts'
import type { GatewayContext } from '../operation/context.ts'
import { executedIsOk, formatError, placeErrors } from '../operation/error-format.ts'
import { toDataSource } from '../third-party/apollo-gateway.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { EventSource } from '../transport/event-source.ts'
import type { SubgraphTransport, TransportResolver } from '../transport/transport.ts'
import { limitCost } from './cost.ts'
import { apiSchemaOf } from './document.ts'
import { requireKnownOperation } from './known-operation.ts'
import { limits, parseOptions } from './limits.ts'
import { createDocumentStore, createPersistedQueries } from './operation-caches.ts'
import { buildSupergraphs, type PlannedSubscription, planSubscription, type Supergraphs } from './planner.ts'
import { teachScalars } from './scalars.ts'
import { limitValueDepth } from './value-depth.ts'

export interface SupergraphVersion {
  readonly apollo: ApolloServer<GatewayContext>
  readonly supergraphs: Supergraphs
  readonly services: ServiceMap
  /** The schema that clients see, as SDL. */
  apiSchema(): string
  /** Executions that subscribers of this version share. */
  readonly singleFlight: SingleFlight<FormattedExecutionResult>
  eventSource(name: string): EventSource
  /** Plans a validated subscription, once for each document. */
  plan(document: DocumentNode, operationName?: string): PlannedSubscription
  /**
   * Whether a subscription that ran under another version can go on under this one.
   * @throws Error saying what it would miss.
   */
  check(document: DocumentNode, operationName?: string): void
  /** Counts a request that needs this version until the returned function is called. */
  enter(): () => void
  /** Stops it once no request needs it any more. */
  retire(): Promise<void>
}

const resolveAll = (resolve: TransportResolver) => {
  const transport = new Map<string, SubgraphTransport>()
  const find = (name: string, url: string | undefined): SubgraphTransport => {
    const known = transport.get(name)
    if (known) return known
    const found = resolve(name, url)
    if (!found) throw new Error(`The supergraph names the subgraph ${name}, which is not known here`)
    const placed = { ...found, source: withErrorPaths(found.source) }
    transport.set(name, placed)
    return placed
  }
  return { transport, find }
}

const createServer = (
  app: App,
  supergraphSdl: string,
  find: (name: string, url?: string) => SubgraphTransport,
) => {
  const { introspection } = app.config
  const { plugins, validationRules } = limits(introspection)
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name, url }) => toDataSource(find(name, url).source),
    __exposeQueryPlanExperimental: false,
    logger: app.log,
  })
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => void teachScalars(apiSchema, app.config))
  return new ApolloServer<GatewayContext>({
    gateway,
    nodeEnv: 'production',
    introspection,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: createPersistedQueries() },
    validationRules: [...validationRules, limitValueDepth],
    plugins: [
      ...plugins,
      requireKnownOperation,
      limitCost(app.usage),
      ApolloServerPluginLandingPageDisabled(),
      captureSubscriptions,
      placeErrors,
      executedIsOk,
    ],
    formatError: formatError(app.log),
    logger: app.log,
  })
}

/** Remembers the plans of each document, which the server keeps parsed. */
const createPlans = (supergraphs: () => Supergraphs) => {
  const plans = new WeakMap<DocumentNode, Map<string | undefined, PlannedSubscription>>()
  return (document: DocumentNode, name?: string): PlannedSubscription => {
    const known = plans.get(document) ?? new Map<string | undefined, PlannedSubscription>()
    const planned = known.get(name) ?? planSubscription(supergraphs(), document, name)
    plans.set(document, known.set(name, planned))
    return planned
  }
}

/**
 * Makes all that serves a supergraph.
 * @throws Error when the supergraph does not load, or names a subgraph that cannot be reached.
 */
export async function createSupergraphVersion(
  app: App,
  resolve: TransportResolver,
  supergraphSdl: string,
): Promise<SupergraphVersion> {
  const { transport, find } = resolveAll(resolve)
  const apollo = createServer(app, supergraphSdl, find)
  await apollo.start()
  const services = Object.fromEntries(
    [...transport].map(([name, { source }]) => [name, toDataSource(source)]),
  )
  let built: Supergraphs | undefined
  const supergraphs = () => (built ??= buildSupergraphs(supergraphSdl, app.config))
  let apiSchema: string | undefined
  const plan = createPlans(supergraphs)
  const requests = createUseCounter()
  return {
    apollo,
    get supergraphs() {
      return supergraphs()
    },
    services,
    apiSchema: () => (apiSchema ??= apiSchemaOf(supergraphSdl)),
    singleFlight: new SingleFlight(),
    eventSource: name => transport.get(name)!.events,
    plan,
    check(document, name) {
      const [error] = validate(supergraphs().schema, document)
      if (error) throw error
      plan(document, name)
    },
    enter: requests.enter,
    async retire() {
      await requests.unused()
      await apollo.stop()
    },
  }
}
