/** Catch-up: older events for one subscriber, over a connection of its own that lasts only until it has caught up. */
import type { Stream } from '#core/async/stream.ts'
import { toGraphQLError } from '#core/errors/graphql-errors.ts'
import type { Replayed } from '#core/events/stream.ts'
import { isTransient, type UpstreamEvent } from './reconnecting-stream.ts'

/** A transient error is reported with the cursor to resume from; any other as it is. */
const toFailure = (error: unknown): unknown => {
  if (isTransient(error)) return new Error('The subgraph is away', { cause: error })
  return toGraphQLError(error)
}

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
