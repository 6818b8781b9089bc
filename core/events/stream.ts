/**
 * Stream of one subscriber's events: first replayed page by page, as fast as the subscriber takes them; once it has
 * caught up with its feed, it gets the same events from memory.
 */
import { GraphQLError } from 'graphql'
import { AsyncQueue, DONE, type Stream } from '../async/stream.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { resumeAfter } from './read.ts'

/** Object with a position in the event log. */
export interface Positioned {
  readonly position: bigint
}

/** Page of every event of the subscriber after the requested position, up to and including `until`. */
export interface Replayed<Event> {
  readonly events: readonly Event[]
  readonly until: bigint
}

/** A stream of events, and the position that its subscriber has reached. */
export interface PositionedStream<Event> extends Stream<Event> {
  /** Position up to which the subscriber has every event that it wants. */
  readonly position: bigint
}

/** Options of a stream: those of its subscriber, and of the feed it belongs to. */
export interface EventStreamOptions<Event extends Positioned> {
  /** Position after which the subscriber wants events. */
  readonly after: bigint
  /** Most events that may wait for a live subscriber. */
  readonly capacity: number
  /** Most bytes of those events; unlimited when absent. */
  readonly capacityBytes?: number
  /** Approximate size of an event in bytes. */
  sizeOf?(event: Event): number
  /** Gives the position up to which the feed has handed events out. */
  feedPosition(): bigint
  /** Whether the subscriber wants an event of the feed. */
  matches(event: Event): boolean
  read(after: bigint): Promise<Replayed<Event>>
  /** Called when the stream is ended since its subscriber reads too slowly. */
  readonly onSlow?: (() => void) | undefined
  /** Called once, when there is nothing left to replay. */
  onLive?(): void
  /** Called once, when the stream ends. */
  onEnd(stream: EventStream<Event>): void
}

const isFinal = (error: unknown) =>
  error instanceof GraphQLError || (error instanceof ServiceError && error.code === 'INVALID_ARGUMENT')

/** Stream of one subscriber. Ending it does not wait for an event that may never come. */
export class EventStream<Event extends Positioned> implements PositionedStream<Event> {
  readonly #options: EventStreamOptions<Event>
  readonly #queue: AsyncQueue<Event>
  /** Position up to which everything was replayed, or lies before the start of the subscription. */
  #seen: bigint
  /** Position of the last event that was taken: where to resume. */
  #delivered: bigint
  #isLive = false

  constructor(options: EventStreamOptions<Event>) {
    const { after, capacity, capacityBytes } = options
    this.#options = options
    this.#seen = after
    this.#delivered = after
    this.#queue = new AsyncQueue({
      ...{ capacity, capacityBytes },
      sizeOf: event => options.sizeOf?.(event) ?? 0,
      onTaken: ({ position }) => {
        this.#delivered = position
      },
      onFull: () => {
        options.onSlow?.()
        this.fail('The events are not taken fast enough')
      },
    })
  }

  get position(): bigint {
    return this.#delivered
  }

  /** Adds an event of the feed; one that is still to be replayed from the log is dropped here. */
  push(event: Event): void {
    if (!this.#isLive || this.#queue.isEnded || event.position <= this.#seen) return
    this.#seen = event.position
    if (this.#options.matches(event)) this.#queue.put(event)
  }

  /** Ends the stream with an error that names where to resume. */
  fail(reason: string, cause?: unknown): void {
    this.refuse(resumeAfter(reason, this.#delivered, cause))
  }

  /** Ends the stream with an error that another try would meet again. The error is thrown once. */
  refuse(error?: unknown): void {
    if (this.#queue.isEnded) return
    this.#queue.close(error)
    this.#options.onEnd(this)
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    while (!this.#isLive && this.#queue.size === 0 && !this.#queue.isEnded) {
      if (this.#seen < this.#options.feedPosition()) await this.#replay()
      else {
        this.#isLive = true
        this.#options.onLive?.()
      }
    }
    return this.#queue.next()
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.refuse()
    return DONE
  }

  async throw(error: unknown): Promise<IteratorResult<Event, undefined>> {
    this.refuse()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.refuse()
  }

  async #replay(): Promise<void> {
    try {
      const { events, until } = await this.#options.read(this.#seen)
      if (this.#queue.isEnded) return
      this.#queue.fill(events)
      this.#seen = until
    } catch (error) {
      // The events are no longer kept, or cannot be read: to try again would not help.
      if (isFinal(error)) this.refuse(error)
      else this.fail('The event log cannot be read at the moment', error)
    }
  }
}
