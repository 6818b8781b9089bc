/**
 * Fan-out: one upstream subscription for all subscribers with the same operation and the same visibility. It keeps
 * the last events, so that a client that reconnects needs no connection of its own; older ones are replayed over one,
 * and the subscriber joins the others when it has caught up.
 */

import type { Stream } from '#core/async/stream.ts'
import { EventStream, type Replayed } from '#core/events/stream.ts'
import { CatchUp } from './catch-up.ts'
import { RecentEvents } from './recent-events.ts'
import type { UpstreamEvent } from './reconnecting-stream.ts'
import { type Headers, Subscribers } from './subscribers.ts'

export interface FanOutParts {
  /** Every event after this position passes through the fan-out. */
  readonly after: bigint
  /** The head of the log when the fan-out began, which may be later. */
  readonly head: bigint
  /** How many events may wait for a subscriber. */
  readonly capacity: number
  /** Opens a stream of all events after a position; `headers` are asked for at each connection. */
  open(after: bigint, headers: () => Headers): Stream<UpstreamEvent>
  /** Called once, when the last subscriber has left or the fan-out has failed. */
  onEnd(): void
}

export class FanOut {
  readonly #parts: FanOutParts
  readonly #subscribers = new Subscribers()
  #events: Stream<UpstreamEvent>
  readonly #recent: RecentEvents
  #position: bigint
  #ended = false

  constructor(parts: FanOutParts) {
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
    if (this.#subscribers.size > 0 || this.#ended) return
    this.#ended = true
    this.#parts.onEnd()
    void this.#events.return(undefined)
  }

  /** Adds a subscriber, beginning after a position. */
  join(after: bigint, headers: Headers): EventStream<UpstreamEvent> {
    const own = new CatchUp(position => this.#parts.open(position, () => headers))
    const subscriber = new EventStream<UpstreamEvent>({
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
    this.#subscribers.add(subscriber, headers)
    if (this.#subscribers.size === 1) void this.#pump()
    return subscriber
  }

  /** Undefined where some are no longer kept. */
  #keptSince(position: bigint): Promise<Replayed<UpstreamEvent>> | undefined {
    const events = this.#recent.since(position)
    return events && Promise.resolve({ events, until: this.#position })
  }

  #open(): Stream<UpstreamEvent> {
    return this.#parts.open(this.#position, () => this.#subscribers.headers())
  }

  /** Goes on for those whom a failure does not concern. */
  async #pump(): Promise<void> {
    while (!this.#ended) {
      try {
        for await (const event of this.#events) this.#publish(event)
      } catch (error) {
        this.#subscribers.end(error)
        if (!this.#ended) this.#events = this.#open()
      }
    }
  }

  #publish(event: UpstreamEvent): void {
    this.#position = event.position
    this.#recent.add(event)
    this.#subscribers.push(event)
  }

  #leave(subscriber: EventStream<UpstreamEvent>): void {
    this.#subscribers.delete(subscriber)
    this.endUnlessJoined()
  }
}
