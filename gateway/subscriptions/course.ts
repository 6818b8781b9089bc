/** A subscription under one generation: how it is planned there, where its events come from, who shares its executions. */
import type { DocumentNode, FormattedExecutionResult, OperationDefinitionNode } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { asServiceError, toGraphQL } from '../../subgraphs/shared/errors.ts'
import type { Sender } from '../../subgraphs/shared/streams/operation.ts'
import { createContext } from '../context.ts'
import type { Generation } from '../generation.ts'
import { executeEvent } from './execute-event.ts'
import { checkVariables, type PlannedSubscription } from './planner.ts'
import type { Variables } from './primary.ts'
import type { Seat } from './share.ts'
import type { EventSource, SourceEvent, SourceRequest, SourceStream } from './source.ts'

/** What a client subscribed to. */
export interface Subscribed {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Variables
  readonly sender: Sender
}

export interface Course {
  readonly generation: Generation
  readonly planned: PlannedSubscription
  readonly source: EventSource
  readonly stream: SourceStream
  readonly variables: Variables
  readonly seat: Seat<FormattedExecutionResult>
}

/** Each event has a context of its own: loaders remember nothing from one event to the next. */
const contextFor = ({ config }: App, { sender }: Subscribed) =>
  createContext({ ...sender, timeoutMs: config.requestTimeoutMs })

const open = async (
  app: App,
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

/** Where a subscription comes from when the generation changes: its course so far, and the cursor it has come to. */
export interface Before {
  readonly course: Course
  readonly cursor: string
}

/**
 * Begins a course; a stream that would be the same as before is kept, another begins where the one before stood.
 * @throws ServiceError or GraphQLError when the subscription is refused.
 */
export async function enter(
  app: App,
  subscribed: Subscribed,
  generation: Generation,
  before?: Before,
): Promise<Course> {
  const { document, operation, sender } = subscribed
  const planned = generation.plan(document, operation.name?.value)
  const { primary } = planned
  const source = generation.eventSource(primary.serviceName)
  const variables = checkVariables(generation.supergraphs.schema, operation, subscribed.variables)
  const old = before?.course
  const isSame = old?.source === source && old.planned.primary.resumable === primary.resumable
  const after = before?.cursor ?? primary.startOf(variables)
  const stream = isSame ? old.stream : await open(app, subscribed, source, { primary, variables, after })
  const seat = generation.sharing.join(planned.shareKey(variables, sender.principal))
  return { generation, planned, source, stream, variables, seat }
}

/** Gives back what a course holds. */
export const leave = async ({ seat, stream }: Course): Promise<void> => {
  seat.leave()
  await stream.return(undefined)
}

const run = async (app: App, subscribed: Subscribed, course: Course, event: SourceEvent) => {
  const context = contextFor(app, subscribed)
  try {
    return await executeEvent({ ...course, log: app.log }, await event.read(context), context)
  } catch (error) {
    app.log.error({ err: error }, 'an event could not be executed')
    return { errors: [toGraphQL(asServiceError(error)).toJSON()] }
  } finally {
    context.done()
  }
}

/** The result for an event, shared with whoever has the same seat. */
export const execute = (
  app: App,
  subscribed: Subscribed,
  course: Course,
  event: SourceEvent,
): Promise<FormattedExecutionResult> =>
  course.seat.execute(event.id, () => run(app, subscribed, course, event))
