/**
 * Fan-out: one upstream subscription for all subscribers with the same operation and the same visibility. It keeps
 * the last events, so that a client that reconnects needs no connection of its own; older ones are replayed over one,
 * and the subscriber joins the others when it has caught up.
 */
import { GraphQLError } from 'graphql'
import type { Stream } from '#core/async/stream.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { EventStream, type Replayed } from '#core/events/stream.ts'
import { isTransientLoss, type UpstreamEvent } from './reconnecting-stream.ts'
import { CatchUp, RecentEvents } from './replay.ts'

/** The headers that go to the subgraph on behalf of a subscriber. */
export type SubscriberHeaders = Readonly<Record<string, string>>

type Subscriber = EventStream<UpstreamEvent>

/** Whether a token was refused: that concerns its subscriber alone. */
export const isUnauthorized = (error: unknown): boolean =>
  (error instanceof ServiceError && error.code === 'UNAUTHORIZED') ||
  (error instanceof GraphQLError && error.extensions['code'] === 'UNAUTHORIZED')

/** The subscribers that share an upstream subscription. */
class Subscribers {
  readonly #subscribers = new Map<Subscriber, SubscriberHeaders>()
  #used: SubscriberHeaders = {}

  get size(): number {
    return this.#subscribers.size
  }

  add(subscriber: Subscriber, headers: SubscriberHeaders): void {
    this.#subscribers.set(subscriber, headers)
  }

  delete(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  push(event: UpstreamEvent): void {
    for (const subscriber of this.#subscribers.keys()) subscriber.push(event)
  }

  /** The headers of the newest subscriber, since its token is likely to last longest. */
  headers(): SubscriberHeaders {
    this.#used = [...this.#subscribers.values()].at(-1) ?? {}
    return this.#used
  }

  /** Ends the subscribers that a failure concerns: all of them, or those whose token was refused. */
  end(error: unknown): void {
    for (const subscriber of this.#concernedBy(error)) {
      if (isTransientLoss(error)) subscriber.fail('The events cannot be had at the moment', error)
      else subscriber.refuse(error)
    }
  }

  #concernedBy(error: unknown): Subscriber[] {
    const all = [...this.#subscribers]
    const { authorization } = this.#used
    const concerned = isUnauthorized(error)
      ? all.filter(([, headers]) => headers['authorization'] === authorization)
      : all
    return concerned.map(([subscriber]) => subscriber)
  }
}

export interface FanOutOptions {
  /** Start of the fan-out: every event after this position passes through it. */
  readonly after: bigint
  /** The head of the log when the fan-out began, which may be later. */
  readonly head: bigint
  /** The most events that may wait for a subscriber. */
  readonly capacity: number
  /** Called when a subscriber is ended since it reads too slowly. */
  readonly onSlow?: (() => void) | undefined
  /** Opens a stream of all events after a position; `headers` is called at each connection. */
  open(after: bigint, headers: () => SubscriberHeaders): Stream<UpstreamEvent>
  /** Called once, when the last subscriber has left or the fan-out has failed. */
  onEnd(): void
}

export class FanOut {
  readonly #options: FanOutOptions
  readonly #subscribers = new Subscribers()
  #events: Stream<UpstreamEvent>
  readonly #recent: RecentEvents
  #position: bigint
  #ended = false

  constructor(options: FanOutOptions) {
    this.#options = options
    this.#recent = new RecentEvents(options.after)
    this.#position = options.after
    this.#events = this.#open()
  }

  /** The position of the last event known here; later ones have not happened yet. */
  get head(): bigint {
    const { head } = this.#options
    return this.#position > head ? this.#position : head
  }

  /** Whether the fan-out has ended; a new subscriber then begins another. */
  get ended(): boolean {
    return this.#ended
  }

  /** Ends it unless it has subscribers. */
  endUnlessJoined(): void {
    if (this.#subscribers.size > 0 || this.#ended) return
    this.#ended = true
    this.#options.onEnd()
    void this.#events.return(undefined)
  }

  /** Adds a subscriber, beginning after a position. */
  join(after: bigint, headers: SubscriberHeaders): EventStream<UpstreamEvent> {
    const own = new CatchUp(position => this.#options.open(position, () => headers))
    const subscriber = new EventStream<UpstreamEvent>({
      after,
      capacity: this.#options.capacity,
      feedPosition: () => this.#position,
      matches: () => true,
      read: position => this.#keptSince(position) ?? own.read(position),
      onSlow: this.#options.onSlow,
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

  /** Events kept since a position; undefined where some are no longer kept. */
  #keptSince(position: bigint): Promise<Replayed<UpstreamEvent>> | undefined {
    const events = this.#recent.since(position)
    return events && Promise.resolve({ events, until: this.#position })
  }

  #open(): Stream<UpstreamEvent> {
    return this.#options.open(this.#position, () => this.#subscribers.headers())
  }

  /** Publishes events; after a failure it goes on for the subscribers that are left. */
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
