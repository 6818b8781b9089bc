/** Events of a subscription, the rest of its plan executed by Apollo Gateway and compiled. */
import { ApolloGateway } from '@apollo/gateway'
import type { GraphQLSchema } from 'graphql'
import { readConfig } from '#core/config/config.ts'
import { createOperations } from '#engine/gateway/operations.ts'
import { executeEvent } from '#gateway/subscriptions/versioned-stream.ts'
import { createPlanningGateway } from '#gateway/supergraph/gateway.ts'
import { type PlannedSubscription, planSubscription } from '#gateway/supergraph/planner.ts'
import { toDataSource } from '#gateway/third-party/apollo-gateway.ts'
import type { GatewayInternals } from '#gateway/third-party/apollo-internals.ts'
import { contextOf, log } from '#test/support/fetches.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { createSource, type Outcome, outcomeOf, type Run, runs } from './both-ways.ts'
import type { Answerer } from './mock-subgraphs.ts'

export interface EventWays extends AsyncDisposable {
  readonly schema: GraphQLSchema
  /** The same event both ways; undefined where there is none, since its own subgraph cannot be reached. */
  execute(
    operation: OperationRequest,
    answerer: Answerer,
  ): Promise<readonly [byApollo: Outcome, compiled: Outcome] | undefined>
}

const sendOf = ({ serviceName }: { serviceName: string }) => {
  const source = createSource(serviceName)
  return (fetch: Parameters<typeof source.process>[0]) => source.process(fetch)
}

/** As its subgraph would bring it. */
const eventOf = async (
  { primary }: PlannedSubscription,
  { variables = {} }: OperationRequest,
  answerer: Answerer,
) => {
  const answer = await answerer(primary.serviceName, { query: primary.operation, variables })
  return () => JSON.parse(answer)
}

interface OneWay {
  readonly version: Parameters<typeof executeEvent>[0]['version']
  readonly planned: PlannedSubscription
  readonly event: () => object
}

const APP = { config: readConfig({}), log }

const run = async (
  { version, planned, event }: OneWay,
  { variables = {} }: OperationRequest,
  answerer: Answerer,
) => {
  const context = contextOf()
  const one: Run = { answerer, fetches: [] }
  runs.set(context, one)
  try {
    const result = await executeEvent({ version, planned, variables, app: APP }, event(), context)
    return outcomeOf(result, one)
  } finally {
    context.done()
  }
}

const load = async (supergraphSdl: string) => {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => toDataSource(createSource(name)),
    logger: log,
  })
  const wrapped = createPlanningGateway(gateway, { engine: undefined, sendOf })
  await wrapped.load({ apollo: {} })
  return wrapped
}

const plan = (parts: GatewayInternals, { document, operationName }: OperationRequest) =>
  planSubscription({ ...parts, operations: createOperations(parts, sendOf), sendOf }, document, operationName)

/** Loads a supergraph of these subgraphs. */
export async function openEventWays(supergraphSdl: string, names: readonly string[]): Promise<EventWays> {
  const gateway = await load(supergraphSdl)
  const { parts } = gateway
  const services = Object.fromEntries(names.map(name => [name, toDataSource(createSource(name))]))
  const version = { parts, services }
  return {
    schema: parts.schema,
    async execute(operation, answerer) {
      const planned = plan(parts, operation)
      if (!planned.execute) throw new Error(`Not compiled: ${operation.text}`)
      const event = await eventOf(planned, operation, answerer).catch(() => undefined)
      if (!event) return undefined
      const byApollo = { version, planned: { ...planned, execute: undefined }, event }
      return [
        await run(byApollo, operation, answerer),
        await run({ version, planned, event }, operation, answerer),
      ] as const
    },
    [Symbol.asyncDispose]: () => gateway.stop(),
  }
}
