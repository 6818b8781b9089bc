/** A running subscription: its events in the client's form, under whichever supergraph serves at the moment. */
import type { DocumentNode, FormattedExecutionResult, OperationDefinitionNode } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { resumeAfterCursor } from '../../subgraphs/shared/delivery/resume.ts'
import { asServiceError, toGraphQL } from '../../subgraphs/shared/errors.ts'
import type { ResultStream, Sender } from '../../subgraphs/shared/streams/operation.ts'
import { DONE, streamOf } from '../../subgraphs/shared/streams/stream.ts'
import { createContext } from '../context.ts'
import type { Generation } from '../generation.ts'
import type { Serving } from '../serving.ts'
import { executeEvent } from './execute-event.ts'
import { isPassing } from './passing.ts'
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

/** An event that was asked for. */
interface Asked {
  /** Where the stream stood before. */
  readonly before: string
  readonly event: Promise<IteratorResult<SourceEvent, undefined>>
}

interface LiveParts {
  readonly app: App
  readonly serving: Serving
}

const leave = async ({ seat, stream }: Course): Promise<void> => {
  seat.leave()
  await stream.return(undefined)
}

class Live {
  readonly #parts: LiveParts
  readonly #subscribed: Subscribed
  readonly #forget: () => void
  #course: Course | undefined
  #asked: Asked | undefined
  #ended = false
  #wake: () => void = () => undefined

  constructor(parts: LiveParts, subscribed: Subscribed) {
    this.#parts = parts
    this.#subscribed = subscribed
    const { document, operation } = subscribed
    const operationName = operation.name?.value
    this.#forget = parts.serving.running({ document, operationName, onChange: () => this.#wake() })
  }

  async begin(): Promise<void> {
    this.#course = await this.#enter(this.#parts.serving.current())
  }

  async next(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    for (;;) {
      const asked = this.#ask()
      await this.#newsOf(asked.event)
      if (this.#ended) return DONE
      if (this.#isBehind) await this.#changeOver(asked.before)
      else {
        const { done, value: event } = await asked.event
        this.#asked = undefined
        if (done) return DONE
        const { seat } = this.#course!
        return { done: false, value: await seat.execute(event.id, () => this.#execute(event)) }
      }
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    this.#forget()
    this.#wake()
    if (this.#course) await leave(this.#course)
  }

  get #isBehind(): boolean {
    return this.#course!.generation !== this.#parts.serving.current()
  }

  /** The next event of the stream; one that was asked for and has not been taken is not asked for again. */
  #ask(): Asked {
    if (this.#asked) return this.#asked
    const { stream } = this.#course!
    const asked = { before: stream.cursor, event: stream.next() }
    // It may fail while nobody looks, during a change.
    asked.event.catch(() => undefined)
    this.#asked = asked
    return asked
  }

  /** Resolves when the event has come, or another generation, or the end. */
  #newsOf(event: Promise<unknown>): Promise<void> {
    if (this.#ended || this.#isBehind) return Promise.resolve()
    return new Promise((done, failed) => {
      this.#wake = done
      event.then(() => done(), failed)
    })
  }

  /** Changes over to the generation that serves now. On another stream, what was asked for is asked for again. */
  async #changeOver(before: string): Promise<void> {
    const old = this.#course!
    const next = await this.#enter(this.#parts.serving.current(), old, before).catch(error => {
      throw isPassing(error)
        ? resumeAfterCursor('The events cannot be had at the moment', before, error)
        : error
    })
    if (this.#ended) return leave(next)
    this.#course = next
    old.seat.leave()
    if (next.stream === old.stream) return
    this.#asked = undefined
    await old.stream.return(undefined)
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
