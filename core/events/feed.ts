/**
 * Feed of events: one reader per process follows the event log by position and hands each event to its subscribers. It
 * is woken by each commit that brings events, in this process or another, and polls every second in case a notification
 * was lost; on a standby, where nobody notifies, many times a second.
 */

import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import { isOutage } from '../data/database-errors.ts'
import type { Statements } from '../data/db.ts'
import type { LagMetrics } from '../observability/lag-metrics.ts'
import type { Logger } from '../observability/log.ts'
import { type EventFilter, type EventRow, eventMatcher, sizeOfEvent } from './event.ts'
import { readBounds, readBoundsAfter, readEvents } from './read.ts'
import { EventStream } from './stream.ts'

export interface EventFeed {
  /** The number of subscribers. */
  readonly subscribers: number
  /** The position up to which events were handed out; undefined without subscribers. */
  readonly position: bigint | undefined
  /** Wakes the feed, since events were committed. */
  readonly wake: () => void
  /**
   * Subscribes to the events from now on; with `after`, first all events since that position. None is lost, none comes
   * twice.
   * @throws ServiceError INVALID_ARGUMENT when the log does not hold everything after the position, SERVICE_UNAVAILABLE when a
   *   standby stays behind it.
   */
  subscribe(filter: EventFilter, after?: bigint): Promise<EventStream<EventRow>>
}

export interface FeedOptions {
  readonly db: Statements
  readonly log: Logger
  readonly config: Pick<Config, 'subscriptionBuffer'>
  readonly watchdog: Watchdog
  /** Called when a stream is ended since its subscriber reads too slowly. */
  readonly onSlow?: () => void
  /** Whether commits of others are notified of; a standby is not, so that it is looked at more often. True unless given. */
  readonly isNotified?: boolean
  /** Interval of polls, in milliseconds. */
  readonly sweepMs?: number
}

const SWEEP_MS = 1_000
/** Interval where nothing wakes the feed: a look costs a standby some 0.1 ms. */
const UNNOTIFIED_SWEEP_MS = 50
const PAGE = 500
const STANDSTILL_MS = 15_000
/** Most bytes that wait for one subscriber; a thousand events with the longest descriptions come to about 3 MB. */
const BUFFER_BYTES = 4 * 1024 * 1024

/** Reads the log while there are streams, and sends the database nothing while there are none. */
class LogReader implements EventFeed {
  readonly #options: FeedOptions
  readonly #streams = new Set<EventStream<EventRow>>()
  /** Position up to which every event has been handed out. */
  #position = 0n
  /** Worker that reads the log; undefined while there are no streams. */
  #worker: Worker | undefined

  constructor(options: FeedOptions) {
    this.#options = options
  }

  get subscribers(): number {
    return this.#streams.size
  }

  get position(): bigint | undefined {
    return this.#streams.size > 0 ? this.#position : undefined
  }

  async subscribe(filter: EventFilter, after?: bigint): Promise<EventStream<EventRow>> {
    const { db } = this.#options
    const bounds = await (after === undefined ? readBounds(db) : readBoundsAfter(db, 'after', after))
    if (this.#streams.size === 0) this.#follow(bounds.head)
    const stream = new EventStream<EventRow>({
      matches: eventMatcher(filter),
      after: after ?? bounds.head,
      capacity: this.#options.config.subscriptionBuffer,
      capacityBytes: BUFFER_BYTES,
      sizeOf: sizeOfEvent,
      feedPosition: () => this.#position,
      read: position => readEvents(db, position, filter, PAGE),
      onSlow: this.#options.onSlow,
      onEnd: ended => this.#leave(ended),
    })
    this.#streams.add(stream)
    return stream
  }

  readonly wake = (): void => this.#worker?.wake()

  #follow(head: bigint): void {
    if (head > this.#position) this.#position = head
    const { isNotified = true } = this.#options
    this.#worker = createWorker({
      run: () => this.#readOn(),
      rounds: this.#options.watchdog.over('event feed', STANDSTILL_MS),
      isReportedByReadiness: isOutage,
      sweepMs: this.#options.sweepMs ?? (isNotified ? SWEEP_MS : UNNOTIFIED_SWEEP_MS),
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

  /**
   * Reads the log on. Positions are dense, so a hole can only mean that the log was tampered with: better to stop than
   * to skip.
   */
  async #readOn(): Promise<void> {
    const from = this.#position
    const { events, until, bounds } = await readEvents(this.#options.db, from, {}, PAGE)
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

/** Makes the feed of this process. */
export const createFeed = (options: FeedOptions): EventFeed => new LogReader(options)

const readLag = async (db: Statements, position: bigint): Promise<number> => {
  const [row] = await db.$queryRaw<{ lag: number }[]>`
    SELECT extract(epoch FROM statement_timestamp() - event_time)::float8 AS lag
    FROM events.event WHERE position > ${position}::bigint ORDER BY position LIMIT 1`
  return Math.max(0, row?.lag ?? 0)
}

/**
 * Shows the feed's lag in the metrics: how long the oldest event has waited that is not handed to the subscribers of this
 * process. Without subscribers there is none.
 */
export const watchEventLag = (
  { events }: Pick<LagMetrics, 'events'>,
  db: Statements,
  feed: Pick<EventFeed, 'position'>,
): void =>
  events.watch('feed', async () => {
    const { position } = feed
    return [{ gauge: 'lag', value: position === undefined ? 0 : await readLag(db, position) }]
  })
