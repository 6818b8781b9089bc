/** One supergraph in service, and everything that is made of it. Another supergraph is another generation. */
import { ApolloGateway, type GraphQLDataSource, type ServiceMap } from '@apollo/gateway'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import { type DocumentNode, type FormattedExecutionResult, validate } from 'graphql'
import type { App } from '../subgraphs/shared/app.ts'
import type { GatewayContext } from './context.ts'
import { limitCost } from './cost.ts'
import { limits, parseOptions } from './limits.ts'
import { createDocumentStore, createPersistedQueries } from './operation-caches.ts'
import {
  buildSupergraphs,
  type PlannedSubscription,
  planSubscription,
  type Supergraphs,
} from './subscriptions/planner.ts'
import { Sharing } from './subscriptions/share.ts'
import type { EventSource } from './subscriptions/source.ts'
import { takeSubscriptions } from './subscriptions/taken.ts'
import { executedIsOk, formatError } from './wire-errors.ts'

/** How a subgraph is reached. */
export interface Reached {
  readonly source: GraphQLDataSource<GatewayContext>
  readonly events: EventSource
}

/** Finds the subgraph of this name, which the supergraph says to be at `url`; undefined when it cannot be reached at all. */
export type Reach = (name: string, url: string | undefined) => Reached | undefined

export interface Generation {
  readonly apollo: ApolloServer<GatewayContext>
  readonly supergraphs: Supergraphs
  readonly services: ServiceMap
  /** Executions that subscribers of this generation share. */
  readonly sharing: Sharing<FormattedExecutionResult>
  eventSource(name: string): EventSource
  /** Plans a validated subscription, once for each document. */
  plan(document: DocumentNode, operationName?: string): PlannedSubscription
  /**
   * Whether a subscription that ran under another generation can go on under this one.
   * @throws Error saying what it would miss.
   */
  check(document: DocumentNode, operationName?: string): void
  /** Counts a request that needs this generation until the returned function is called. */
  enter(): () => void
  /** Stops it once no request needs it any more. */
  retire(): Promise<void>
}

const reachAll = (reach: Reach) => {
  const reached = new Map<string, Reached>()
  const find = (name: string, url: string | undefined): Reached => {
    const found = reached.get(name) ?? reach(name, url)
    if (!found) throw new Error(`The supergraph names the subgraph ${name}, which is not known here`)
    reached.set(name, found)
    return found
  }
  return { reached, find }
}

const createServer = (app: App, supergraphSdl: string, find: (name: string, url?: string) => Reached) => {
  const { plugins, validationRules } = limits()
  return new ApolloServer<GatewayContext>({
    gateway: new ApolloGateway({
      supergraphSdl,
      buildService: ({ name, url }) => find(name, url).source as GraphQLDataSource,
      __exposeQueryPlanExperimental: false,
      logger: app.log,
    }),
    nodeEnv: 'production',
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions,
    documentStore: createDocumentStore(),
    persistedQueries: { cache: createPersistedQueries() },
    validationRules,
    plugins: [
      ...plugins,
      limitCost(app.usage),
      ApolloServerPluginLandingPageDisabled(),
      takeSubscriptions,
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

/** Counts who needs something, and tells when nobody does. */
const createUse = () => {
  let users = 0
  let unused: () => void = () => undefined
  return {
    enter() {
      users += 1
      let counted = true
      return () => {
        if (counted && --users === 0) unused()
        counted = false
      }
    },
    free: () => (users === 0 ? Promise.resolve() : new Promise<void>(done => (unused = done))),
  }
}

/**
 * Makes all that serves a supergraph.
 * @throws Error when the supergraph does not load, or names a subgraph that cannot be reached.
 */
export async function createGeneration(app: App, reach: Reach, supergraphSdl: string): Promise<Generation> {
  const { reached, find } = reachAll(reach)
  const apollo = createServer(app, supergraphSdl, find)
  await apollo.start()
  let built: Supergraphs | undefined
  const supergraphs = () => (built ??= buildSupergraphs(supergraphSdl))
  const plan = createPlans(supergraphs)
  const use = createUse()
  return {
    apollo,
    get supergraphs() {
      return supergraphs()
    },
    get services() {
      return Object.fromEntries([...reached].map(([name, { source }]) => [name, source as GraphQLDataSource]))
    },
    sharing: new Sharing(),
    eventSource: name => reached.get(name)!.events,
    plan,
    check(document, name) {
      const [error] = validate(supergraphs().schema, document)
      if (error) throw error
      plan(document, name)
    },
    enter: use.enter,
    async retire() {
      await use.free()
      await apollo.stop()
    },
  }
}
