/**
 * One upstream subscription for all subscribers who want the same and may see the same. It keeps the last events, so
 * that who comes back after a moment needs no connection of its own; who wants older ones replays them over one, and
 * joins the others when it has caught up.
 */
import { EventStream } from '../../../subgraphs/shared/delivery/event-stream.ts'
import type { Stream } from '../../../subgraphs/shared/streams/stream.ts'
import { isPassing, type UpstreamEvent } from './resuming.ts'

/** What goes along to the subgraph on behalf of a subscriber. */
export type Headers = Readonly<Record<string, string>>

export interface HubParts {
  /** Everything after this position is seen by the hub. */
  readonly after: bigint
  /** How many events may wait for a subscriber. */
  readonly capacity: number
  /** Opens a stream of all events after a position; `headers` are asked for at each connection. */
  open(after: bigint, headers: () => Headers): Stream<UpstreamEvent>
  /** Called once, when the last subscriber has left or the hub has failed. */
  onEnd(): void
}

/** How many events are kept for those who come back. */
export const KEPT = 1_000

export class Hub {
  readonly #parts: HubParts
  readonly #members = new Map<EventStream<UpstreamEvent>, Headers>()
  readonly #events: Stream<UpstreamEvent>
  #recent: UpstreamEvent[] = []
  /** Every event after this one that the hub has seen is among the recent ones. */
  #keptAfter: bigint
  #position: bigint
  #ended = false

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#keptAfter = parts.after
    this.#position = parts.after
    this.#events = parts.open(parts.after, () => this.#headers())
  }

  /** The last event it has seen; what a subscriber that joins now comes after. */
  get position(): bigint {
    return this.#position
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
    let own: Stream<UpstreamEvent> | undefined
    const read = async (position: bigint) => {
      if (position >= this.#keptAfter) return this.#keptSince(position)
      own ??= this.#parts.open(position, () => headers)
      const { done, value } = await own.next()
      return done ? { events: [], until: position } : { events: [value], until: value.position }
    }
    const leaveOwn = () => void own?.return(undefined)
    const member = new EventStream<UpstreamEvent>({
      after,
      capacity: this.#parts.capacity,
      feedPosition: () => this.#position,
      matches: () => true,
      read,
      onLive: leaveOwn,
      onEnd: ended => {
        leaveOwn()
        this.#leave(ended)
      },
    })
    this.#members.set(member, headers)
    if (this.#members.size === 1) void this.#pump()
    return member
  }

  #keptSince(position: bigint) {
    return { events: this.#recent.filter(event => event.position > position), until: this.#position }
  }

  /** Those of who came last, whose token is likely to last longest. */
  #headers(): Headers {
    return [...this.#members.values()].at(-1) ?? {}
  }

  async #pump(): Promise<void> {
    try {
      for await (const event of this.#events) this.#publish(event)
    } catch (error) {
      for (const member of [...this.#members.keys()]) {
        if (isPassing(error)) member.fail('The events cannot be had at the moment', error)
        else member.refuse(error)
      }
    }
  }

  #publish(event: UpstreamEvent): void {
    this.#position = event.position
    this.#recent.push(event)
    if (this.#recent.length > KEPT) this.#keptAfter = this.#recent.shift()!.position
    for (const member of this.#members.keys()) member.push(event)
  }

  #leave(member: EventStream<UpstreamEvent>): void {
    this.#members.delete(member)
    this.endUnlessJoined()
  }
}
