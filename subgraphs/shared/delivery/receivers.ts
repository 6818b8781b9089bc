/**
 * What this process knows of the receivers: how many attempts are under way to each, and which have failed for so
 * long that only one at a time is tried, after a pause. It is kept in memory alone: another process finds out for
 * itself, and after a start everyone is believed to be well.
 */

import type { KnownReceiver } from './queue.ts'

interface Receiver {
  underWay: number
  /** Failures since the last answer that was none of the receiver's own failure. */
  failures: number
  failingSince: number
  pausedUntil: number
}

export interface ReceiverOptions {
  /** The most attempts at a time to one receiver. */
  readonly perOrigin: number
  /** Milliseconds since 1970. */
  now(): number
}

/** Both must be exceeded before a receiver is paused: a bad minute is no long failure, nor are a few failures. */
const MANY_FAILURES = 20
const LONG_MS = 120_000
const PAUSE_MS = 10_000
/** A receiver that failed and of which nothing more was heard is forgotten. */
const FORGET_MS = 3_600_000

export class Receivers {
  readonly #known = new Map<string, Receiver>()
  readonly #options: ReceiverOptions
  #underWay = 0

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** Attempts under way to all receivers. */
  get underWay(): number {
    return this.#underWay
  }

  started(origin: string): void {
    const receiver = this.#known.get(origin) ?? { underWay: 0, failures: 0, failingSince: 0, pausedUntil: 0 }
    receiver.underWay++
    this.#underWay++
    this.#known.set(origin, receiver)
  }

  /** @param well whether the receiver answered, be it with a refusal. */
  ended(origin: string, well: boolean): void {
    const receiver = this.#known.get(origin)!
    receiver.underWay--
    this.#underWay--
    if (well) receiver.failures = 0
    else this.#failed(receiver)
    if (receiver.underWay === 0 && receiver.failures === 0) this.#known.delete(origin)
  }

  /** Those of which something is known. */
  known(): KnownReceiver[] {
    this.#forget()
    return [...this.#known].map(([origin, receiver]) => ({
      origin,
      underWay: receiver.underWay,
      most: this.#mostOf(receiver),
    }))
  }

  #failed(receiver: Receiver): void {
    const now = this.#options.now()
    if (receiver.failures++ === 0) receiver.failingSince = now
    if (this.#isFailing(receiver)) receiver.pausedUntil = now + PAUSE_MS
  }

  #isFailing({ failures, failingSince }: Receiver): boolean {
    return failures >= MANY_FAILURES && this.#options.now() - failingSince >= LONG_MS
  }

  /** While it is failing, none during a pause, and one after it to see how it is. */
  #mostOf(receiver: Receiver): number {
    if (!this.#isFailing(receiver)) return this.#options.perOrigin
    return receiver.pausedUntil > this.#options.now() ? 0 : 1
  }

  #forget(): void {
    const before = this.#options.now() - FORGET_MS
    for (const [origin, { underWay, pausedUntil, failingSince }] of this.#known) {
      if (underWay === 0 && Math.max(pausedUntil, failingSince) < before) this.#known.delete(origin)
    }
  }
}
