/** A running subscription: its events in the client's form, under whichever supergraph serves at the moment. */
import type { FormattedExecutionResult } from 'graphql'
import type { App } from '../../subgraphs/shared/app.ts'
import { resumeAfterCursor } from '../../subgraphs/shared/delivery/resume.ts'
import type { ResultStream } from '../../subgraphs/shared/streams/operation.ts'
import { DONE, streamOf } from '../../subgraphs/shared/streams/stream.ts'
import type { Serving } from '../serving.ts'
import { type Course, enter, execute, leave, type Subscribed } from './course.ts'
import { isPassing } from './passing.ts'
import type { SourceEvent } from './source.ts'

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
    const { app, serving } = this.#parts
    this.#course = await enter(app, this.#subscribed, serving.current())
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
        const { app } = this.#parts
        return { done: false, value: await execute(app, this.#subscribed, this.#course!, event) }
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
    const { app, serving } = this.#parts
    const standing = { course: old, cursor: before }
    const next = await enter(app, this.#subscribed, serving.current(), standing).catch(error => {
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
