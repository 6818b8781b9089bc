/** Identical subscriptions share one execution per event: the work follows the number of events, not of clients. */
import { LRUCache } from 'lru-cache'

/** How long a result may serve others: what they get is as fresh as if it were their own. */
const FRESH_MS = 1_000
const MAX_RESULTS = 2_000

interface Execution<Result> {
  readonly at: number
  readonly result: Promise<Result>
}

/** One subscriber's place among those of the same key. */
export interface Seat<Result> {
  /** The result for an event: another subscriber's of this moment, or one's own. */
  execute(eventId: string, run: () => Promise<Result>): Promise<Result>
  leave(): void
}

/** Shares results among the seats of a key. */
export class Sharing<Result> {
  readonly #seats = new Map<string, number>()
  readonly #executions = new LRUCache<string, Execution<Result>>({ max: MAX_RESULTS })

  /** Takes a place among the subscribers of this key; give it back with `leave`. */
  join(key: string): Seat<Result> {
    this.#count(key, 1)
    return {
      execute: (eventId, run) => this.#execute(key, eventId, run),
      leave: () => this.#count(key, -1),
    }
  }

  #count(key: string, change: number): void {
    const seats = (this.#seats.get(key) ?? 0) + change
    if (seats > 0) this.#seats.set(key, seats)
    else this.#seats.delete(key)
  }

  #execute(key: string, eventId: string, run: () => Promise<Result>): Promise<Result> {
    if (this.#seats.get(key) === 1) return run()
    const id = `${eventId} ${key}`
    const found = this.#executions.get(id)
    if (found && Date.now() - found.at < FRESH_MS) return found.result
    const result = run()
    this.#executions.set(id, { at: Date.now(), result })
    return result
  }
}
