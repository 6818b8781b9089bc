/** One version of the supergraph in service, and everything that is made of it. */

import type { ServiceMap } from '@apollo/gateway'
import type { ApolloServer } from '@apollo/server'
import { type DocumentNode, type FormattedExecutionResult, validate } from 'graphql'
import { createUseCounter } from '#core/async/limits.ts'
import { SingleFlight } from '#core/async/single-flight.ts'
import type { App } from '#core/context/app.ts'
import type { GatewayContext } from '../operation/context.ts'
import { toDataSource } from '../third-party/apollo-gateway.ts'
import type { GatewayParts } from '../third-party/apollo-internals.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { EventSource } from '../transport/event-source.ts'
import type { SubgraphTransport, TransportResolver } from '../transport/transport.ts'
import { createApollo } from './apollo-server.ts'
import { createSpendCost, type SpendCost } from './cost.ts'
import { apiSchemaOf } from './document.ts'
import type { CompiledOperations, SendOf } from './engine.ts'
import { noteValid } from './found-valid.ts'
import { createPersistedQueries, type PersistedQueries } from './operation-caches.ts'
import { type PlannedSubscription, type PlanningParts, planSubscription } from './planner.ts'
import { prepareOperations } from './prepare.ts'

export interface SupergraphVersion {
  readonly apollo: ApolloServer<GatewayContext>
  readonly parts: GatewayParts
  readonly services: ServiceMap
  /** Compiled operations; undefined without an engine. */
  readonly operations: CompiledOperations | undefined
  readonly persistedQueries: PersistedQueries
  readonly spendCost: SpendCost
  /** Plans and compiles operations before they are sent, as far as they are valid. */
  prepare(texts: Iterable<string>): Promise<void>
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

/** Remembers the plans of each document, which the server keeps parsed. */
const createPlans = (parts: PlanningParts) => {
  const plans = new WeakMap<DocumentNode, Map<string | undefined, PlannedSubscription>>()
  return (document: DocumentNode, name?: string): PlannedSubscription => {
    const known = plans.get(document) ?? new Map<string | undefined, PlannedSubscription>()
    const planned = known.get(name) ?? planSubscription(parts, document, name)
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
  const spendCost = createSpendCost(app.usage)
  const persistedQueries = createPersistedQueries()
  const sourceOf = (name: string, url?: string) => find(name, url).source
  const sendOf: SendOf = ({ serviceName }) => {
    const source = sourceOf(serviceName)
    return fetch => source.process(fetch)
  }
  const engine = await app.engine?.loadGateway()
  const apolloParts = { app, supergraphSdl, sourceOf, engine, sendOf, spendCost, persistedQueries }
  const { apollo, gateway, validationRules } = createApollo(apolloParts)
  await apollo.start()
  noteValid(supergraphSdl)
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
