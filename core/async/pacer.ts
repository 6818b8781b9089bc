/**
 * A pace for what is asked for too often: some at once, then one after the other at a rate, each holder by itself (the
 * generic cell rate algorithm, ITU-T I.371). A client that asks again as soon as it is answered is slowed down by its
 * answers, and costs no more than the rate.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

export interface Pace {
  readonly perSecond: number
  /** How many at once are not made to wait. */
  readonly atOnce: number
  /** The longest wait in milliseconds; a holder is behind by more than that when it asks for too much. */
  readonly longestMs: number
}

/** What waits takes memory; so many do, then no more are made to. */
const MAX_WAITING = 20_000
const MAX_HOLDERS = 10_000

/** Between half of it and all of it: those that came together do not go on together. */
const spread = (ms: number): number => (ms * (1 + Math.random())) / 2

export class Pacer {
  /** When each holder will have been served all that it has asked for, at its rate. */
  readonly #doneAt = new LRUCache<string, number>({ max: MAX_HOLDERS })
  readonly #pace: Pace
  readonly #now: () => number
  #waiting = 0

  constructor(pace: Pace, now: () => number = () => performance.now()) {
    this.#pace = pace
    this.#now = now
  }

  /** Counts one more. @returns how long it should wait, in milliseconds, and whether that is within the longest wait. */
  count(holder: string): { readonly waitMs: number; readonly isWithin: boolean } {
    const { perSecond, atOnce, longestMs } = this.#pace
    const now = this.#now()
    const each = 1_000 / perSecond
    const doneAt = Math.max(now, this.#doneAt.get(holder) ?? 0) + each
    const waitMs = Math.max(0, doneAt - now - atOnce * each)
    if (waitMs > longestMs) return { waitMs: spread(longestMs), isWithin: false }
    this.#doneAt.set(holder, doneAt)
    return { waitMs, isWithin: true }
  }

  /** Takes back what was counted. */
  uncount(holder: string): void {
    const doneAt = this.#doneAt.get(holder)
    if (doneAt !== undefined) this.#doneAt.set(holder, doneAt - 1_000 / this.#pace.perSecond)
  }

  /** Counts one more and waits its time. @returns whether that was within the longest wait. */
  async wait(holder: string): Promise<boolean> {
    const { waitMs, isWithin } = this.count(holder)
    if (waitMs > 0 && this.#waiting < MAX_WAITING) {
      this.#waiting += 1
      await delay(waitMs, undefined, { ref: false })
      this.#waiting -= 1
    }
    return isWithin
  }
}
