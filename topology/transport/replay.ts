/** Replay for subscribers that come back: from memory where the last events suffice, over a connection otherwise. */
import type { Stream } from '#core/async/stream.ts'
import { toGraphQLError } from '#core/errors/catalogue.ts'
import type { Replayed } from '#core/events/stream.ts'
import { sizeOfResult } from '#core/values/json.ts'
import { isTransientLoss, type UpstreamEvent } from './reconnecting-stream.ts'

/** Most events that are kept. */
export const KEPT = 1_000
/** Most bytes of kept events: those of a portal have some hundred each. */
export const KEPT_BYTES = 4 * 1024 * 1024

interface Kept {
  readonly event: UpstreamEvent
  readonly bytes: number
}

/** The last events of a stream, bounded in number and in bytes. */
export class RecentEvents {
  #kept: Kept[] = []
  #bytes = 0
  #after: bigint

  /** @param after every event after this position will be added. */
  constructor(after: bigint) {
    this.#after = after
  }

  get bytes(): number {
    return this.#bytes
  }

  add(event: UpstreamEvent): void {
    const bytes = sizeOfResult(event.response)
    this.#kept.push({ event, bytes })
    this.#bytes += bytes
    while (this.#kept.length > KEPT || this.#bytes > KEPT_BYTES) this.#drop()
  }

  /** Every event after a position; undefined where some are no longer kept. */
  since(position: bigint): UpstreamEvent[] | undefined {
    if (position < this.#after) return undefined
    return this.#kept.filter(({ event }) => event.position > position).map(({ event }) => event)
  }

  #drop(): void {
    const { event, bytes } = this.#kept.shift()!
    this.#bytes -= bytes
    this.#after = event.position
  }
}

/** Gives a transient error the cursor to resume from; any other stays as it is. */
const toFailure = (error: unknown): unknown => {
  if (isTransientLoss(error)) return new Error('The subgraph is away', { cause: error })
  return toGraphQLError(error)
}

/** Older events for one subscriber, over a connection of its own that lasts until the subscriber has caught up. */
export class CatchUp {
  readonly #open: (after: bigint) => Stream<UpstreamEvent>
  #events: Stream<UpstreamEvent> | undefined
  #position = -1n

  constructor(open: (after: bigint) => Stream<UpstreamEvent>) {
    this.#open = open
  }

  /** The next event after a position. */
  async read(after: bigint): Promise<Replayed<UpstreamEvent>> {
    // Events that came another way meanwhile must not come again.
    if (after !== this.#position) this.end()
    this.#events ??= this.#open(after)
    const { done, value } = await this.#events.next().catch(error => {
      throw toFailure(error)
    })
    this.#position = done ? after : value.position
    return done ? { events: [], until: after } : { events: [value], until: value.position }
  }

  end(): void {
    void this.#events?.return(undefined)
    this.#events = undefined
  }
}
