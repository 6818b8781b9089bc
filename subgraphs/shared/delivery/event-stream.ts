/**
 * One subscriber's events: first replayed from the log, page by page, as fast as it takes them; once it has
 * caught up with the feed it is handed over and gets the same events from memory.
 */
import { ServiceError } from '../errors.ts'
import { type EventFilter, type EventRow, eventMatcher } from './event.ts'
import type { EventPage } from './read-events.ts'
import { resumeAfter } from './resume.ts'

/** What a stream needs of the feed it belongs to. */
export interface StreamParts {
  readonly filter: EventFilter
  /** The position after which the subscriber wants events. */
  readonly after: bigint
  /** How many events may wait for a subscriber that follows live. */
  readonly capacity: number
  /** Up to where the feed has handed events out. */
  feedPosition(): bigint
  read(after: bigint, filter: EventFilter): Promise<EventPage>
  /** Called once, when the stream ends for whatever reason. */
  onEnd(stream: EventStream): void
}

const DONE = { done: true, value: undefined } as const

/** An async generator written by hand: ending it must not wait for an event that may never come. */
export class EventStream implements AsyncGenerator<EventRow, undefined, undefined> {
  readonly #parts: StreamParts
  readonly #matches: (event: EventRow) => boolean
  #waiting: EventRow[] = []
  /** Everything up to here was replayed, or lies before what was asked for. */
  #seen: bigint
  /** The last event that was taken: where to resume. */
  #taken: bigint
  #live = false
  #ended: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.#matches = eventMatcher(parts.filter)
    this.#seen = parts.after
    this.#taken = parts.after
  }

  /** Takes an event from the feed; one that is still to be replayed from the log is not kept. */
  push(event: EventRow): void {
    if (!this.#live || event.position <= this.#seen) return
    this.#seen = event.position
    if (!this.#matches(event)) return
    this.#waiting.push(event)
    if (this.#waiting.length > this.#parts.capacity) this.fail('The events are not taken fast enough')
    this.#wake()
  }

  /** Ends the stream with an error that says where to resume. */
  fail(reason: string, cause?: unknown): void {
    this.#end({ error: resumeAfter(reason, this.#taken, cause) })
  }

  async next(): Promise<IteratorResult<EventRow, undefined>> {
    for (;;) {
      const event = this.#waiting.shift()
      if (event) {
        this.#taken = event.position
        return { done: false, value: event }
      }
      if (this.#ended) return this.#conclude(this.#ended)
      if (this.#live) await new Promise<void>(wake => (this.#wake = wake))
      else if (this.#seen >= this.#parts.feedPosition()) this.#live = true
      else await this.#replay()
    }
  }

  async return(): Promise<IteratorResult<EventRow, undefined>> {
    this.#end({})
    return DONE
  }

  async throw(error: unknown): Promise<IteratorResult<EventRow, undefined>> {
    this.#end({})
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end({})
  }

  async #replay(): Promise<void> {
    try {
      const { events, until } = await this.#parts.read(this.#seen, this.#parts.filter)
      if (this.#ended) return
      this.#waiting.push(...events)
      this.#seen = until
    } catch (error) {
      // What was asked for is no longer kept: to try again would not help.
      if (error instanceof ServiceError && error.code === 'INVALID_ARGUMENT') this.#end({ error })
      else this.fail('The event log cannot be read at the moment', error)
    }
  }

  /** An error is told once; after it the stream is simply over. */
  #conclude({ error }: { readonly error?: unknown }): typeof DONE {
    this.#ended = {}
    if (error) throw error
    return DONE
  }

  #end(how: { readonly error?: unknown }): void {
    if (this.#ended) return
    this.#ended = how
    this.#waiting = []
    this.#wake()
    this.#parts.onEnd(this)
  }
}
