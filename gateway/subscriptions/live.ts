/** A running subscription: its events in the client's form, under whichever supergraph serves at the moment. */
import type { DocumentNode, FormattedExecutionResult, OperationDefinitionNode } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { fromEventCursor } from '../../subgraphs/shared/delivery/event-cursor.ts'
import { resumeAfter } from '../../subgraphs/shared/delivery/resume.ts'
import { asServiceError, toGraphQL } from '../../subgraphs/shared/errors.ts'
import type { ResultStream, Sender } from '../../subgraphs/shared/streams/operation.ts'
import { DONE, streamOf } from '../../subgraphs/shared/streams/stream.ts'
import { createContext } from '../context.ts'
import type { Generation } from '../generation.ts'
import type { Serving } from '../serving.ts'
import { executeEvent } from './execute-event.ts'
import { checkVariables, type PlannedSubscription } from './planner.ts'
import type { Variables } from './primary.ts'
import type { Seat } from './share.ts'
import type { EventSource, SourceEvent, SourceStream } from './source.ts'

/** What a client subscribed to. */
export interface Subscribed {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly variables: Variables
  readonly sender: Sender
}

/** How it is served under one generation. */
interface Course {
  readonly generation: Generation
  readonly planned: PlannedSubscription
  readonly source: EventSource
  readonly stream: SourceStream
  readonly variables: Variables
  readonly seat: Seat<FormattedExecutionResult>
}

interface LiveParts {
  readonly app: App
  readonly serving: Serving
}

class Live {
  readonly #parts: LiveParts
  readonly #subscribed: Subscribed
  readonly #forget: () => void
  #course: Course | undefined
  #ended = false

  constructor(parts: LiveParts, subscribed: Subscribed) {
    this.#parts = parts
    this.#subscribed = subscribed
    const { document, operation } = subscribed
    this.#forget = parts.serving.running({ document, operationName: operation.name?.value })
  }

  async begin(): Promise<void> {
    this.#course = await this.#enter(this.#parts.serving.current())
  }

  async next(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    for (;;) {
      const { stream } = this.#course!
      const before = stream.cursor
      const { done, value: event } = await stream.next()
      if (done || this.#ended) return DONE
      if (!(await this.#keepUp(before))) continue
      const { seat } = this.#course!
      return { done: false, value: await seat.execute(event.id, () => this.#execute(event)) }
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#forget()
    this.#course?.seat.leave()
    await this.#course?.stream.return(undefined)
  }

  /** Changes over to the generation that serves now; false when the event has to be asked for again there. */
  async #keepUp(before: string): Promise<boolean> {
    const old = this.#course!
    const generation = this.#parts.serving.current()
    if (generation === old.generation) return true
    const next = await this.#enter(generation, old, before).catch(error => {
      throw resumeAfter('The supergraph has changed', fromEventCursor('cursor', before), error)
    })
    old.seat.leave()
    this.#course = next
    if (next.stream === old.stream) return true
    await old.stream.return(undefined)
    if (this.#ended) await next.stream.return(undefined)
    return false
  }

  /** Joins a generation; a stream that would be the same there is kept. */
  async #enter(generation: Generation, old?: Course, after?: string): Promise<Course> {
    const { document, operation, sender, variables: given } = this.#subscribed
    const planned = generation.plan(document, operation.name?.value)
    const source = generation.eventSource(planned.primary.serviceName)
    const variables = checkVariables(generation.supergraphs.schema, operation, given)
    const isSame = old?.source === source && old.planned.primary.resumable === planned.primary.resumable
    const stream = isSame
      ? old.stream
      : await this.#open(source, planned, variables, after ?? planned.primary.startOf(variables))
    const seat = generation.sharing.join(planned.shareKey(variables, sender.principal))
    return { generation, planned, source, stream, variables, seat }
  }

  async #open(
    source: EventSource,
    { primary }: PlannedSubscription,
    variables: Variables,
    after: string | undefined,
  ) {
    const context = this.#context()
    try {
      return await source.subscribe({ primary, variables, after, context })
    } finally {
      context.done()
    }
  }

  /** Each event has a context of its own: loaders remember nothing from one event to the next. */
  #context() {
    return createContext({
      ...this.#subscribed.sender,
      timeoutMs: this.#parts.app.config.requestTimeoutMs,
    })
  }

  async #execute(event: SourceEvent): Promise<FormattedExecutionResult> {
    const { generation, planned, variables } = this.#course!
    const { app } = this.#parts
    const context = this.#context()
    try {
      const execution = { generation, planned, variables, log: app.log }
      return await executeEvent(execution, await event.read(context), context)
    } catch (error) {
      app.log.error({ err: error }, 'an event could not be executed')
      return { errors: [toGraphQL(asServiceError(error)).toJSON()] }
    } finally {
      context.done()
    }
  }
}

/**
 * Opens a validated subscription.
 * @throws ServiceError or GraphQLError when it is refused.
 */
export async function openLive(parts: LiveParts, subscribed: Subscribed): Promise<ResultStream> {
  const live = new Live(parts, subscribed)
  try {
    await live.begin()
  } catch (error) {
    await live.end()
    throw error
  }
  return streamOf(
    () => live.next(),
    () => live.end(),
  )
}
