/** One event of a subscription: the rest of the plan is executed around it, as Apollo Gateway executes a query's. */
import { executeQueryPlan, type GraphQLDataSource } from '@apollo/gateway'
import type { FormattedExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql'
import type { Executed } from '../../subgraphs/shared/graph/executor.ts'
import type { Logger } from '../../subgraphs/shared/log.ts'
import type { GatewayContext } from '../context.ts'
import type { Generation } from '../generation.ts'
import { formatError } from '../wire-errors.ts'
import type { PlannedSubscription } from './planner.ts'
import type { Variables } from './primary.ts'

export interface EventExecution {
  readonly generation: Pick<Generation, 'supergraphs' | 'services'>
  readonly planned: PlannedSubscription
  readonly variables: Variables
  readonly log: Logger
}

/** The owning subgraph, whose primary fetch is answered already; its other fetches go on as usual. */
const withEvent = (base: GraphQLDataSource, primary: string, event: Executed): GraphQLDataSource => ({
  process: async options => (options.request.query === primary ? (event as never) : base.process(options)),
})

const servicesWith = ({ generation, planned: { primary } }: EventExecution, event: Executed) => ({
  ...generation.services,
  [primary.serviceName]: withEvent(generation.services[primary.serviceName]!, primary.operation, event),
})

/** The errors in the codes of the catalogue, as over HTTP. */
export const formatErrors = (errors: readonly GraphQLError[], log: Logger): GraphQLFormattedError[] =>
  errors.map(error => formatError(log)(error.toJSON(), error))

/** The result of the subscription for one event; failures of single fields are null, with an error each. */
export async function executeEvent(
  execution: EventExecution,
  event: Executed,
  context: GatewayContext,
): Promise<FormattedExecutionResult> {
  const { generation, planned, variables, log } = execution
  const { supergraphs } = generation
  const request = { request: { variables: { ...variables } }, context, metrics: {}, logger: log }
  const { errors, ...result } = await executeQueryPlan(
    planned.perEvent,
    servicesWith(execution, event),
    request as never,
    planned.operation,
    supergraphs.supergraphSchema,
    supergraphs.api,
  )
  return {
    ...(errors?.length && { errors: formatErrors(errors, log) }),
    ...result,
  } as FormattedExecutionResult
}
