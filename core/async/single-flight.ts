/**
 * Single flight: participants with the same key share one execution per event, so the work grows with events, not
 * with clients.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { sizeOfResult } from '../values/json.ts'
import type { SharedKey } from './shared-key.ts'

/** How long a result may serve others: what they get is as fresh as if it were their own. */
const FRESH_MS = 1_000
/** What results may come to, in bytes. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024
/** What one takes while it is not there yet. */
const UNKNOWN_BYTES = 32 * 1024

interface Execution<Result> {
  readonly at: number
  readonly result: Promise<Result>
  bytes: number
}

/** One subscriber among those of the same key. */
export interface Participant<Result> {
  /** The result for an event: another subscriber's of this moment, or one's own. */
  execute(eventId: string, run: () => Promise<Result>): Promise<Result>
  leave(): void
}

/** A key holds the text of an operation, and its variables: of fixed length for those who stay for days. */
const digestOf = (key: SharedKey) => createHash('sha256').update(key).digest('base64')

/** Shares results among the participants of a key. */
export class SingleFlight<Result> {
  readonly #participants = new Map<string, number>()
  readonly #executions = new LRUCache<string, Execution<Result>>({
    maxSize: MAX_RESULT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })

  /** What the results come to that are kept, in bytes. */
  get bytes(): number {
    return this.#executions.calculatedSize
  }

  /** Joins the participants of this key; `leave` ends that. */
  join(key: SharedKey): Participant<Result> {
    const digest = digestOf(key)
    this.#count(digest, 1)
    return {
      execute: (eventId, run) => this.#execute(digest, eventId, run),
      leave: () => this.#count(digest, -1),
    }
  }

  #count(digest: string, change: number): void {
    const seats = (this.#participants.get(digest) ?? 0) + change
    if (seats > 0) this.#participants.set(digest, seats)
    else this.#participants.delete(digest)
  }

  #execute(digest: string, eventId: string, run: () => Promise<Result>): Promise<Result> {
    if (this.#participants.get(digest) === 1) return run()
    const id = `${eventId} ${digest}`
    const found = this.#executions.get(id)
    if (found && Date.now() - found.at < FRESH_MS) return found.result
    const execution = { at: Date.now(), result: run(), bytes: UNKNOWN_BYTES }
    this.#executions.set(id, execution)
    void this.#weigh(id, execution)
    return execution.result
  }

  /** How much it is is known when it is there; one that has gone meanwhile does not come back. */
  async #weigh(id: string, execution: Execution<Result>): Promise<void> {
    const result = await execution.result.catch(() => undefined)
    if (this.#executions.peek(id) !== execution) return
    this.#executions.delete(id)
    this.#executions.set(id, { ...execution, bytes: sizeOfResult(result) })
  }
}
