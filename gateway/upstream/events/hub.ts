/**
 * One upstream subscription for all subscribers who want the same and may see the same. It keeps the last events, so
 * that who comes back after a moment needs no connection of its own; who wants older ones replays them over one, and
 * joins the others when it has caught up.
 */
import { EventStream, type Replayed } from '../../../subgraphs/shared/delivery/event-stream.ts'
import type { Stream } from '../../../subgraphs/shared/streams/stream.ts'
import { type Headers, Members } from './members.ts'
import { OwnReplay } from './own-replay.ts'
import { RecentEvents } from './recent-events.ts'
import type { UpstreamEvent } from './resuming.ts'

export interface HubParts {
  /** Everything after this position is seen by the hub. */
  readonly after: bigint
  /** Where the log stood when the hub began, which may be later. */
  readonly head: bigint
  /** How many events may wait for a subscriber. */
  readonly capacity: number
  /** Opens a stream of all events after a position; `headers` are asked for at each connection. */
  open(after: bigint, headers: () => Headers): Stream<UpstreamEvent>
  /** Called once, when the last subscriber has left or the hub has failed. */
  onEnd(): void
}

export class Hub {
  readonly #parts: HubParts
  readonly #members = new Members()
  #events: Stream<UpstreamEvent>
  readonly #recent: RecentEvents
  #position: bigint
  #ended = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#recent = new RecentEvents(parts.after)
    this.#position = parts.after
    this.#events = this.#open()
  }

  /** What comes after this has not happened yet, as far as is known here. */
  get head(): bigint {
    const { head } = this.#parts
    return this.#position > head ? this.#position : head
  }

  /** Whether it is over: who wants its events begins another. */
  get ended(): boolean {
    return this.#ended
  }

  /** Ends it unless someone has joined. */
  endUnlessJoined(): void {
    if (this.#members.size > 0 || this.#ended) return
    this.#ended = true
    this.#parts.onEnd()
    void this.#events.return(undefined)
  }

  /** Adds a subscriber, beginning after a position. */
  join(after: bigint, headers: Headers): EventStream<UpstreamEvent> {
    const own = new OwnReplay(position => this.#parts.open(position, () => headers))
    const member = new EventStream<UpstreamEvent>({
      after,
      capacity: this.#parts.capacity,
      feedPosition: () => this.#position,
      matches: () => true,
      read: position => this.#keptSince(position) ?? own.read(position),
      onLive: () => own.end(),
      onEnd: ended => {
        own.end()
        this.#leave(ended)
      },
    })
    this.#members.add(member, headers)
    if (this.#members.size === 1) void this.#pump()
    return member
  }

  /** Undefined where some are no longer kept. */
  #keptSince(position: bigint): Promise<Replayed<UpstreamEvent>> | undefined {
    const events = this.#recent.since(position)
    return events && Promise.resolve({ events, until: this.#position })
  }

  #open(): Stream<UpstreamEvent> {
    return this.#parts.open(this.#position, () => this.#members.headers())
  }

  /** Goes on for those whom a failure does not concern. */
  async #pump(): Promise<void> {
    while (!this.#ended) {
      try {
        for await (const event of this.#events) this.#publish(event)
      } catch (error) {
        this.#members.end(error)
        if (!this.#ended) this.#events = this.#open()
      }
    }
  }

  #publish(event: UpstreamEvent): void {
    this.#position = event.position
    this.#recent.add(event)
    this.#members.push(event)
  }

  #leave(member: EventStream<UpstreamEvent>): void {
    this.#members.delete(member)
    this.endUnlessJoined()
  }
}
