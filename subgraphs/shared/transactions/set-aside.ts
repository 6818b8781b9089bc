/** Rows that could not be settled: left out of the rounds, and tried again alone, after a longer wait each time. */
import { createBackoff } from '../async/backoff.ts'

/** Soon enough that a short disturbance costs little, rarely enough that a row which never succeeds costs nothing. */
const waitMs = createBackoff({ firstMs: 5_000, longestMs: 15 * 60_000 })

interface Attempt {
  readonly failures: number
  readonly due: number
}

/** What one settler has set aside; another process learns by itself what it cannot settle. */
export class SetAside {
  readonly #rows = new Map<string, Attempt>()
  readonly #now: () => number

  /** @param now the clock, in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** All that are set aside. */
  get ids(): string[] {
    return [...this.#rows.keys()]
  }

  /** Those whose wait is over. */
  get due(): string[] {
    const now = this.#now()
    return [...this.#rows].filter(([, { due }]) => due <= now).map(([id]) => id)
  }

  /** After a failure: 5 s, doubling with each further one to a quarter of an hour. */
  add(id: string): void {
    const failures = (this.#rows.get(id)?.failures ?? 0) + 1
    this.#rows.set(id, { failures, due: this.#now() + waitMs(failures - 1) })
  }

  /** It is settled, by whomever. */
  remove(id: string): void {
    this.#rows.delete(id)
  }
}
