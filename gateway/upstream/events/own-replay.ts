/** Older events for one subscriber, over a connection of its own that lasts only while it has to catch up. */
import { GraphQLError } from 'graphql'
import type { Replayed } from '../../../subgraphs/shared/delivery/event-stream.ts'
import { asServiceError, toGraphQL } from '../../../subgraphs/shared/errors.ts'
import type { Stream } from '../../../subgraphs/shared/streams/stream.ts'
import { isPassing, type UpstreamEvent } from './resuming.ts'

/** What is passing is told with the place to resume; what is not, as it is. */
const toFailure = (error: unknown): unknown => {
  if (isPassing(error)) return new Error('The subgraph is away', { cause: error })
  return error instanceof GraphQLError ? error : toGraphQL(asServiceError(error))
}

export class OwnReplay {
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
