/**
 * Version of the supergraph in service, with everything that is made of it; and the manager that replaces one version by the
 * next while requests and subscriptions go on.
 */
import type { ServiceMap } from '@apollo/gateway'
import type { ApolloServer } from '@apollo/server'
import { type DocumentNode, type FormattedExecutionResult, validate } from 'graphql'
import { createUseCounter } from '#core/async/limits.ts'
import { SingleFlight } from '#core/async/single-flight.ts'
import type { App } from '#core/context/app.ts'
import type { SubgraphCalls } from '#core/observability/request-metrics.ts'
import { tracing } from '#core/observability/tracing.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { ExtensionsOf } from '../operation/explain.ts'
import { toDataSource } from '../third-party/apollo-gateway.ts'
import type { GatewayInternals } from '../third-party/apollo-internals.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { EventSource, SubgraphTransport, TransportResolver } from '../transport/transport.ts'
import { explainFetches, measuredSource, withFetchSpans } from '../transport/wrapped-source.ts'
import { apiSchemaOf } from './api-schema.ts'
import { createApollo, createPersistedQueries, type PersistedQueries } from './apollo-server.ts'
import { createSpendCost, type SpendCost } from './cost.ts'
import { type CompiledOperations, prepareOperations, type SendOf } from './engine.ts'
import { recordValid } from './gateway.ts'
import { type PlannedSubscription, type PlanningOptions, planSubscription } from './planner.ts'

export interface SupergraphVersion {
  readonly apollo: ApolloServer<GatewayContext>
  readonly parts: GatewayInternals
  readonly services: ServiceMap
  /** Compiled operations; undefined without an engine. */
  readonly operations: CompiledOperations | undefined
  readonly persistedQueries: PersistedQueries
  readonly spendCost: SpendCost
  /** Plans and compiles valid operations before clients send them. */
  prepare(texts: Iterable<string>): Promise<void>
  /** Schema that clients see, as SDL. */
  apiSchema(): string
  /** Executions that subscribers of this version share. */
  readonly singleFlight: SingleFlight<FormattedExecutionResult>
  eventSource(name: string): EventSource
  /** Gives the extensions of an executed operation's response. */
  readonly extensionsOf: ExtensionsOf
  /** Plans a validated subscription. */
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

const resolveAll = (resolve: TransportResolver, calls: SubgraphCalls) => {
  const transport = new Map<string, SubgraphTransport>()
  const find = (name: string, url: string | undefined): SubgraphTransport => {
    const known = transport.get(name)
    if (known) return known
    const found = resolve(name, url)
    if (!found) throw new Error(`The supergraph names the subgraph ${name}, which is not known here`)
    const measured = measuredSource(name, found.source, calls)
    const source = tracing ? withFetchSpans(tracing, name, found.isRemote ?? false, measured) : measured
    const placed = { ...found, source: withErrorPaths(explainFetches(name, source)) }
    transport.set(name, placed)
    return placed
  }
  return { transport, find }
}

/** Makes the function that plans subscriptions, once for each document: the server keeps documents. */
const createPlans = (options: PlanningOptions) => {
  const plans = new WeakMap<DocumentNode, Map<string | undefined, PlannedSubscription>>()
  return (document: DocumentNode, name?: string): PlannedSubscription => {
    const known = plans.get(document) ?? new Map<string | undefined, PlannedSubscription>()
    const planned = known.get(name) ?? planSubscription(options, document, name)
    plans.set(document, known.set(name, planned))
    return planned
  }
}

/**
 * Makes a version of the supergraph.
 * @throws Error when the supergraph does not load, or names a subgraph that cannot be reached.
 */
async function createSupergraphVersion(
  app: App,
  resolve: TransportResolver,
  supergraphSdl: string,
): Promise<SupergraphVersion> {
  const { transport, find } = resolveAll(resolve, app.metrics.graph.subgraphCalls)
  const spendCost = createSpendCost(app, () => gateway.parts.supergraphSchema)
  const persistedQueries = createPersistedQueries()
  const sourceOf = (name: string, url?: string) => find(name, url).source
  const sendOf: SendOf = ({ serviceName }) => {
    const source = sourceOf(serviceName)
    return fetch => source.process(fetch)
  }
  const engine = await app.engine?.loadGateway()
  const apolloOptions = { app, supergraphSdl, sourceOf, engine, sendOf, spendCost, persistedQueries }
  const { apollo, gateway, validationRules, extensionsOf } = createApollo(apolloOptions)
  await apollo.start()
  recordValid(supergraphSdl)
  const services = Object.fromEntries(
    [...transport].map(([name, { source }]) => [name, toDataSource(source)]),
  )
  let apiSchema: string | undefined
  const { parts, operations } = gateway
  const plan = createPlans({ ...parts, operations, sendOf })
  const requests = createUseCounter()
  return {
    apollo,
    parts,
    services,
    operations,
    persistedQueries,
    spendCost,
    extensionsOf,
    prepare: async texts => {
      if (operations) await prepareOperations(operations, { schema: parts.schema, validationRules }, texts)
    },
    apiSchema: () => (apiSchema ??= apiSchemaOf(supergraphSdl)),
    singleFlight: new SingleFlight(),
    eventSource: name => transport.get(name)!.events,
    plan,
    check(document, name) {
      const [error] = validate(parts.schema, document)
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

/** Running subscription. */
export interface Running {
  readonly document: DocumentNode
  readonly operationName?: string
  /** Called when another version begins to serve, so that the subscription changes over although no event comes. */
  onChange(): void
}

export interface SupergraphManager {
  /** Version for requests that begin now. */
  current(): SupergraphVersion
  /** Registers a running subscription until the returned function is called. */
  running(subscription: Running): () => void
  /**
   * Serves another supergraph from now on. Requests in flight end under the old one; running subscriptions change over
   * between two events, at once where they wait for one.
   * @throws Error when it does not load, or lacks what a running subscription selects: the old one keeps serving then.
   */
  replace(supergraphSdl: string): Promise<void>
  stop(): Promise<void>
}

/** Operations that are planned before a supergraph serves; the others when they are sent. */
const MOST_USED = 200

const checkAll = (version: SupergraphVersion, running: Iterable<Running>) => {
  const documents = new Set<DocumentNode>()
  for (const { document, operationName } of running) {
    if (!documents.has(document)) version.check(document, operationName)
    documents.add(document)
  }
}

/**
 * Makes the manager, which begins with this supergraph.
 * @param known operations that are planned and compiled under each supergraph before it serves, beside those that were
 * sent most.
 */
export async function createSupergraphManager(
  app: App,
  resolve: TransportResolver,
  supergraphSdl: string,
  known: readonly string[] = [],
): Promise<SupergraphManager> {
  const running = new Set<Running>()
  const retiring = new Set<Promise<void>>()
  let current = await createSupergraphVersion(app, resolve, supergraphSdl)
  await current.prepare(known)
  let turn: Promise<unknown> = Promise.resolve()

  const retire = (version: SupergraphVersion) => {
    const retired = version
      .retire()
      .catch(error => app.log.warn({ err: error }, 'old supergraph could not be stopped'))
      .finally(() => retiring.delete(retired))
    retiring.add(retired)
  }
  const change = async (sdl: string) => {
    const next = await createSupergraphVersion(app, resolve, sdl)
    await next.prepare([...known, ...(current.operations?.mostUsed(MOST_USED) ?? [])])
    try {
      checkAll(next, running)
    } catch (error) {
      retire(next)
      throw new Error(`a running subscription would lose something: ${(error as Error).message}`, {
        cause: error,
      })
    }
    retire(current)
    current = next
    for (const { onChange } of running) onChange()
  }
  return {
    current: () => current,
    running(subscription) {
      running.add(subscription)
      return () => running.delete(subscription)
    },
    replace(sdl) {
      const changed = turn.then(() => change(sdl))
      turn = changed.catch(() => undefined)
      return changed
    },
    async stop() {
      await turn
      retire(current)
      await Promise.all(retiring)
    },
  }
}
