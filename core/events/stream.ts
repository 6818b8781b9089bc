/**
 * One subscriber's events: first replayed, page by page, as fast as it takes them; once it has caught up with what
 * feeds it, it is handed over and gets the same events from memory.
 */
import { GraphQLError } from 'graphql'
import { DONE, type Stream } from '../async/stream.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { resumeAfter } from './resume.ts'

/** Anything that has its place in the event log. */
export interface Positioned {
  readonly position: bigint
}

/** Every event of the subscriber after where it was asked for, up to and including `until`. */
export interface Replayed<Event> {
  readonly events: readonly Event[]
  readonly until: bigint
}

/** Events as they are taken one by one, and where who takes them stands. */
export interface PositionedStream<Event> extends Stream<Event> {
  /** It has every event up to here that it wants. */
  readonly position: bigint
}

/** What a stream needs of the feed it belongs to. */
export interface StreamParts<Event extends Positioned> {
  /** The position after which the subscriber wants events. */
  readonly after: bigint
  /** How many events may wait for a live subscriber. */
  readonly capacity: number
  /** How many bytes those events may come to; as many as they are unless given. */
  readonly capacityBytes?: number
  /** About how many bytes an event takes. */
  sizeOf?(event: Event): number
  /** Up to where the feed has handed events out. */
  feedPosition(): bigint
  /** Whether the subscriber wants an event of the feed. */
  matches(event: Event): boolean
  read(after: bigint): Promise<Replayed<Event>>
  /** Called once, when there is nothing left to replay. */
  onLive?(): void
  /** Called once, when the stream ends for whatever reason. */
  onEnd(stream: EventStream<Event>): void
}

const isFinal = (error: unknown) =>
  error instanceof GraphQLError || (error instanceof ServiceError && error.code === 'INVALID_ARGUMENT')

/** An async generator written by hand: ending it must not wait for an event that may never come. */
export class EventStream<Event extends Positioned> implements PositionedStream<Event> {
  readonly #parts: StreamParts<Event>
  #waiting: Event[] = []
  #waitingBytes = 0
  /** Everything up to here was replayed, or lies before what was asked for. */
  #seen: bigint
  /** The last event that was taken: where to resume. */
  #delivered: bigint
  #live = false
  #ended: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(parts: StreamParts<Event>) {
    this.#parts = parts
    this.#seen = parts.after
    this.#delivered = parts.after
  }

  /** Where the subscriber stands: it has every event up to here that it wants. */
  get position(): bigint {
    return this.#delivered
  }

  /** Takes an event from the feed; one that is still to be replayed from the log is not kept. */
  push(event: Event): void {
    if (!this.#live || this.#ended || event.position <= this.#seen) return
    this.#seen = event.position
    if (!this.#parts.matches(event)) return
    this.#waiting.push(event)
    this.#waitingBytes += this.#sizeOf(event)
    if (this.#isFull()) this.fail('The events are not taken fast enough')
    this.#wake()
  }

  /** Ends the stream with an error that says where to resume. */
  fail(reason: string, cause?: unknown): void {
    this.#end({ error: resumeAfter(reason, this.#delivered, cause) })
  }

  /** Ends the stream with an error that another try would not mend. */
  refuse(error: unknown): void {
    this.#end({ error })
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    for (;;) {
      const event = this.#waiting.shift()
      if (event) {
        this.#delivered = event.position
        this.#waitingBytes -= this.#sizeOf(event)
        return { done: false, value: event }
      }
      if (this.#ended) return this.#conclude(this.#ended)
      if (this.#live) await new Promise<void>(wake => (this.#wake = wake))
      else if (this.#seen >= this.#parts.feedPosition()) this.#goLive()
      else await this.#replay()
    }
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.#end({})
    return DONE
  }

  async throw(error: unknown): Promise<IteratorResult<Event, undefined>> {
    this.#end({})
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end({})
  }

  #sizeOf(event: Event): number {
    return this.#parts.sizeOf?.(event) ?? 0
  }

  #isFull(): boolean {
    const { capacity, capacityBytes = Number.POSITIVE_INFINITY } = this.#parts
    return this.#waiting.length > capacity || this.#waitingBytes > capacityBytes
  }

  #goLive(): void {
    this.#live = true
    this.#parts.onLive?.()
  }

  async #replay(): Promise<void> {
    try {
      const { events, until } = await this.#parts.read(this.#seen)
      if (this.#ended) return
      this.#waiting.push(...events)
      for (const event of events) this.#waitingBytes += this.#sizeOf(event)
      this.#seen = until
    } catch (error) {
      // What was asked for is no longer kept, or not to be had: to try again would not help.
      if (isFinal(error)) this.refuse(error)
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
