/** One event of a subscription: the rest of the plan is executed around it, as Apollo Gateway executes a query's plan. */
import type { GraphQLDataSource } from '@apollo/gateway'
import {
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import type { Executed } from '#core/graph/executor.ts'
import type { GatewayContext } from '../operation/context.ts'
import { type FormatDependencies, formatError } from '../operation/error-format.ts'
import type { Variables } from '../operation/rewrites.ts'
import type { PlannedSubscription } from '../supergraph/planner.ts'
import type { SupergraphVersion } from '../supergraph/version.ts'
import { executeQueryPlan, toDataSource } from '../third-party/apollo-gateway.ts'
import { asExecutionResult } from '../third-party/apollo-internals.ts'
import { withErrorPaths } from '../transport/error-paths.ts'

export interface EventExecution {
  readonly version: Pick<SupergraphVersion, 'parts' | 'services'>
  readonly planned: PlannedSubscription
  readonly variables: Variables
  readonly app: FormatDependencies
}

/**
 * Makes the source of the owning subgraph, whose primary fetch has its result already; its other fetches go on as
 * usual.
 */
const withEvent = (base: GraphQLDataSource, primary: string, event: Executed): GraphQLDataSource => {
  const answered = toDataSource(withErrorPaths({ process: async () => event }))
  return { process: options => (options.request.query === primary ? answered : base).process(options) }
}

const servicesWith = ({ version, planned: { primary } }: EventExecution, event: Executed) => ({
  ...version.services,
  [primary.serviceName]: withEvent(version.services[primary.serviceName]!, primary.operation, event),
})

/** An error of GraphQL: a fetch may fail with any error, which Apollo Server too would make one of GraphQL's. */
const asGraphQLError = (error: Error): GraphQLError =>
  error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error })

/** Formats errors with the codes of the catalogue, as over HTTP. */
export const formatErrors = (
  errors: readonly Error[],
  app: FormatDependencies,
  schemaOf: () => GraphQLSchema,
): GraphQLFormattedError[] =>
  errors.map(asGraphQLError).map(error => formatError(app, schemaOf)(error.toJSON(), error))

const executeByApollo = async (execution: EventExecution, event: Executed, context: GatewayContext) => {
  const { version, planned, variables, app } = execution
  const { parts } = version
  const request = { request: { variables: { ...variables } }, context, metrics: {}, logger: app.log }
  return executeQueryPlan(
    planned.perEvent,
    servicesWith(execution, event),
    request,
    planned.operation,
    parts.supergraphSchema,
    parts.api,
  )
}

/** Makes the result of the subscription for one event; failures of single fields are null, with an error each. */
export async function executeEvent(
  execution: EventExecution,
  event: Executed,
  context: GatewayContext,
): Promise<FormattedExecutionResult> {
  const { planned, variables, app } = execution
  const { errors, ...result } = planned.execute
    ? asExecutionResult(await planned.execute({ variables: { ...variables }, context, event }))
    : await executeByApollo(execution, event, context)
  planned.names.restoreNames(errors)
  return {
    ...(errors?.length && { errors: formatErrors(errors, app, () => execution.version.parts.schema) }),
    ...result,
  } as FormattedExecutionResult
}
