/**
 * The feed: one reader per process reads the event log on by position and hands each event to its subscribers. It is
 * woken by each commit that brings events, in this process or another, and polls every second in case a notification
 * was lost.
 */

import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import { isOutage } from '../data/database-errors.ts'
import type { Reader } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'
import { type EventFilter, type EventRow, eventMatcher, sizeOfEvent } from './event.ts'
import { checkPosition, readBounds, readEvents } from './read.ts'
import { EventStream } from './stream.ts'

export interface EventFeed {
  /** The number of subscribers. */
  readonly subscribers: number
  /** Events were committed. */
  wake(): void
  /**
   * The events from now on; with `after`, first all events since that position. None is lost, none comes twice.
   * @throws ServiceError INVALID_ARGUMENT when the log does not hold everything after the position.
   */
  subscribe(filter: EventFilter, after?: bigint): Promise<EventStream<EventRow>>
}

export interface FeedOptions {
  readonly reader: Reader
  readonly log: Logger
  readonly config: Pick<Config, 'subscriptionBuffer'>
  readonly watchdog: Watchdog
  /** How often it polls, in milliseconds. */
  readonly sweepMs?: number
}

const SWEEP_MS = 1_000
const PAGE = 500
const STANDSTILL_MS = 15_000
/** The most that may wait for one subscriber; a thousand events with the longest descriptions come to about 3 MB. */
const BUFFER_BYTES = 4 * 1024 * 1024

/** Reads the log while there are streams, and sends the database nothing while there are none. */
class LogReader implements EventFeed {
  readonly #options: FeedOptions
  readonly #streams = new Set<EventStream<EventRow>>()
  /** Every event up to here has been handed out. */
  #position = 0n
  /** There is one while there are streams. */
  #worker: Worker | undefined

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get subscribers(): number {
    return this.#streams.size
  }

  async subscribe(filter: EventFilter, after?: bigint): Promise<EventStream<EventRow>> {
    const bounds = await readBounds(this.#options.reader)
    if (after !== undefined) checkPosition('after', after, bounds)
    if (this.#streams.size === 0) this.#follow(bounds.head)
    const stream = new EventStream<EventRow>({
      matches: eventMatcher(filter),
      after: after ?? bounds.head,
      capacity: this.#options.config.subscriptionBuffer,
      capacityBytes: BUFFER_BYTES,
      sizeOf: sizeOfEvent,
      feedPosition: () => this.#position,
      read: position => readEvents(this.#options.reader, position, filter, PAGE),
      onEnd: ended => this.#leave(ended),
    })
    this.#streams.add(stream)
    return stream
  }

  wake(): void {
    this.#worker?.wake()
  }

  #follow(head: bigint): void {
    if (head > this.#position) this.#position = head
    this.#worker = createWorker({
      run: () => this.#readOn(),
      rounds: this.#options.watchdog.over('event feed', STANDSTILL_MS),
      isReportedElsewhere: isOutage,
      sweepMs: this.#options.sweepMs ?? SWEEP_MS,
      onError: error =>
        this.#options.log.warn({ err: error }, 'event feed could not read the log; retrying within a second'),
    })
  }

  #leave(stream: EventStream<EventRow>): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    void this.#worker?.stop()
    this.#worker = undefined
  }

  /** Positions are dense, so a hole can only mean that the log was tampered with: better to stop than to skip. */
  async #readOn(): Promise<void> {
    const from = this.#position
    const { events, until, bounds } = await readEvents(this.#options.reader, from, {}, PAGE)
    // All subscribers left and a new one came meanwhile: the feed reads on from another position now.
    if (this.#position !== from) return this.wake()
    if (until !== from + BigInt(events.length)) {
      for (const stream of this.#streams) stream.fail('The event log has a hole')
      throw new Error(`The event log has a hole between ${from} and ${until}`)
    }
    this.#position = until
    for (const event of events) for (const stream of this.#streams) stream.push(event)
    if (until < bounds.head) this.wake()
  }
}

/** The feed of this process. */
export const createFeed = (options: FeedOptions): EventFeed => new LogReader(options)
