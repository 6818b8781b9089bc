/**
 * Single flight: participants with the same key share one execution per event, so the work grows with events, not with
 * clients.
 *
 * A key of the request alone would give one client's response to another. So no key can be made without an audience,
 * and no audience without a principal (`access/visibility.ts`).
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { sizeOfResult } from '../values/json.ts'

declare const MADE: unique symbol

/** The clients that may get the same response, as a text without line breaks. */
export type Audience = string & { readonly [MADE]: 'audience' }

/** Key that distinguishes one piece of shared work from all others: its audience and the request. */
export type SharedKey = string & { readonly [MADE]: 'key' }

/** Makes the key of an audience's request; the first line is the audience's, whatever the text of the request holds. */
export const sharedKey = (audience: Audience, request: string): SharedKey =>
  `${audience}\n${request}` as SharedKey

/** Time for which a result may serve others, in milliseconds: it is as fresh for them as their own. */
const FRESH_MS = 1_000
/** The most bytes of results that are kept. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024
/** Assumed size of a result that is not there yet, in bytes. */
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

/**
 * Digest of a key, of fixed length: a key holds the text of an operation and its variables, and subscribers stay for
 * days.
 */
const digestOf = (key: SharedKey) => createHash('sha256').update(key).digest('base64')

/** Shares results among the participants of a key. */
export class SingleFlight<Result> {
  readonly #participants = new Map<string, number>()
  readonly #executions = new LRUCache<string, Execution<Result>>({
    maxSize: MAX_RESULT_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })

  /** The bytes of the results that are kept. */
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

  /** Sets the result's size as soon as it is known; a result that was dropped meanwhile does not come back. */
  async #weigh(id: string, execution: Execution<Result>): Promise<void> {
    const result = await execution.result.catch(() => undefined)
    if (this.#executions.peek(id) !== execution) return
    this.#executions.delete(id)
    this.#executions.set(id, { ...execution, bytes: sizeOfResult(result) })
  }
}
