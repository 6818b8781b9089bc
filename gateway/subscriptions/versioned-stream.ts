/**
 * A subscription under one version of the supergraph: its plan, its stream of events, and its shared executions. The rest of the
 * plan is executed around each event, as Apollo Gateway executes a query's plan.
 */
import type { GraphQLDataSource } from '@apollo/gateway'
import {
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { Participant } from '#core/async/single-flight.ts'
import { NO_TRAIL } from '#core/audit/access-recorder.ts'
import type { Platform } from '#core/context/app.ts'
import { failedResult } from '#core/errors/faults.ts'
import type { Executed } from '#core/graph/executor.ts'
import type { Sender } from '#core/streams/result-stream.ts'
import { createContext, type GatewayContext } from '../operation/context.ts'
import { type FormatDependencies, formatError } from '../operation/error-format.ts'
import type { Variables } from '../operation/rewrites.ts'
import type { PlanResult } from '../supergraph/engine.ts'
import { checkVariables, type PlannedSubscription } from '../supergraph/planner.ts'
import type { SupergraphVersion } from '../supergraph/version.ts'
import { executeQueryPlan, toDataSource } from '../third-party/apollo-gateway.ts'
import { withErrorPaths } from '../transport/error-paths.ts'
import type { EventSource, SourceEvent, SourceRequest, SourceStream } from '../transport/transport.ts'

/** The subscription of a client. */
export interface Subscribed {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Variables
  readonly sender: Sender
}

export interface VersionedStream {
  readonly version: SupergraphVersion
  readonly planned: PlannedSubscription
  readonly source: EventSource
  readonly stream: SourceStream
  readonly variables: Variables
  readonly participant: Participant<FormattedExecutionResult>
}

/**
 * Makes a context for one event, so that loaders remember nothing from one event to the next. Whom the subscription shows
 * was recorded when it began.
 */
const contextFor = ({ config }: Platform, { sender }: Subscribed) =>
  createContext({ ...sender, trail: NO_TRAIL, timeoutMs: config.requestTimeoutMs })

const open = async (
  app: Platform,
  subscribed: Subscribed,
  source: EventSource,
  request: Omit<SourceRequest, 'context'>,
): Promise<SourceStream> => {
  const context = contextFor(app, subscribed)
  try {
    return await source.subscribe({ ...request, context })
  } finally {
    context.done()
  }
}

/** The state of a subscription when the version changes: its stream so far, and its cursor. */
interface Before {
  readonly versioned: VersionedStream
  readonly cursor: string
}

/**
 * Subscribes under a version. A stream that would be the same as before is kept; another begins at the cursor of the
 * one before.
 * @throws ServiceError or GraphQLError when the subscription is refused.
 */
export async function openVersionedStream(
  app: Platform,
  subscribed: Subscribed,
  version: SupergraphVersion,
  before?: Before,
): Promise<VersionedStream> {
  const { document, operation, sender } = subscribed
  const planned = version.plan(document, operation.name?.value)
  const { primary } = planned
  const source = version.eventSource(primary.serviceName)
  const { schema } = version.parts
  const hidden = app.config.introspection ? undefined : schema
  const given = checkVariables(schema, subscribed, subscribed.variables, hidden)
  const variables = planned.names.toPlanned(given)
  const old = before?.versioned
  const isSame = old?.source === source && old.planned.primary.resumable === primary.resumable
  const after = before?.cursor ?? primary.startOf(variables)
  const stream = isSame ? old.stream : await open(app, subscribed, source, { primary, variables, after })
  const participant = version.singleFlight.join(planned.shareKey(variables, sender.principal))
  return { version, planned, source, stream, variables, participant }
}

/** Releases what a stream holds. */
export const closeVersionedStream = async ({ participant, stream }: VersionedStream): Promise<void> => {
  participant.leave()
  await stream.return(undefined)
}

const run = async (app: Platform, subscribed: Subscribed, versioned: VersionedStream, event: SourceEvent) => {
  const context = contextFor(app, subscribed)
  try {
    return await executeEvent({ ...versioned, app }, await event.read(context), context)
  } catch (error) {
    app.log.error({ err: error }, 'an event could not be executed')
    return failedResult(error)
  } finally {
    context.done()
  }
}

/** The result for an event, shared with the other participants of its single flight. */
export const execute = (
  app: Platform,
  subscribed: Subscribed,
  versioned: VersionedStream,
  event: SourceEvent,
): Promise<FormattedExecutionResult> =>
  versioned.participant.execute(event.id, () => run(app, subscribed, versioned, event))

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
  const { errors, ...result }: PlanResult = planned.execute
    ? await planned.execute({ variables: { ...variables }, context, event })
    : await executeByApollo(execution, event, context)
  planned.names.restoreNames(errors)
  return {
    ...(errors?.length && {
      errors: formatErrors(errors as readonly Error[], app, () => execution.version.parts.schema),
    }),
    ...result,
  } as FormattedExecutionResult
}
