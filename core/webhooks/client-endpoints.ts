/** What this process knows of one client's receivers: how many attempts are under way to each, and which are failing. */
import { LRUCache } from 'lru-cache'

export interface ReceiverOptions {
  /** The most attempts at a time to one receiver. */
  readonly perOrigin: number
  /** Milliseconds since 1970. */
  now(): number
}

/** A receiver of which something is known that a claim must heed. */
export interface ReceiverState {
  readonly origin: string
  readonly underWay: number
  /** The most attempts at a time; fewer than others have while it is failing. */
  readonly most: number
}

interface Health {
  /** Failures since the last response that was none of the receiver's own failure. */
  failures: number
  failingSince: number
  pausedUntil: number
}

/** Both must be exceeded before a receiver is paused: a bad minute is no long failure, nor are a few failures. */
const MANY_FAILURES = 20
const LONG_MS = 120_000
const PAUSE_MS = 10_000
/** A receiver that failed and of which nothing more was heard is forgotten. */
const FORGET_MS = 3_600_000
/** At most 1 MiB a client, with origins of at most 2 KiB; of who has more, some are tried without a pause. */
const MAX_FAILING = 512

export class ClientReceivers {
  readonly #options: ReceiverOptions
  readonly #underWay = new Map<string, number>()
  readonly #health = new LRUCache<string, Health>({ max: MAX_FAILING })
  #total = 0

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** Attempts under way to all receivers. */
  get underWay(): number {
    return this.#total
  }

  get isEmpty(): boolean {
    return this.#total === 0 && this.#health.size === 0
  }

  started(origin: string): void {
    this.#move(origin, 1)
  }

  /** @param well whether the receiver answered, be it with a refusal. */
  ended(origin: string, well: boolean): void {
    this.#move(origin, -1)
    if (well) this.#health.delete(origin)
    else this.#failed(origin)
  }

  /** Those that may not have as many attempts more as others. */
  known(): ReceiverState[] {
    this.#forget()
    const failing = [...this.#health]
      .filter(([, health]) => this.#isFailing(health))
      .map(([origin]) => origin)
    return [...new Set([...this.#underWay.keys(), ...failing])].map(origin => ({
      origin,
      underWay: this.#underWay.get(origin) ?? 0,
      most: this.#mostOf(origin),
    }))
  }

  #move(origin: string, by: 1 | -1): void {
    const underWay = (this.#underWay.get(origin) ?? 0) + by
    if (underWay === 0) this.#underWay.delete(origin)
    else this.#underWay.set(origin, underWay)
    this.#total += by
  }

  #failed(origin: string): void {
    const now = this.#options.now()
    const health = this.#health.get(origin) ?? { failures: 0, failingSince: now, pausedUntil: 0 }
    health.failures++
    if (this.#isFailing(health)) health.pausedUntil = now + PAUSE_MS
    this.#health.set(origin, health)
  }

  #isFailing({ failures, failingSince }: Health): boolean {
    return failures >= MANY_FAILURES && this.#options.now() - failingSince >= LONG_MS
  }

  /** While it is failing, none during a pause, and one after it to see how it is. */
  #mostOf(origin: string): number {
    const health = this.#health.peek(origin)
    if (!health || !this.#isFailing(health)) return this.#options.perOrigin
    return health.pausedUntil > this.#options.now() ? 0 : 1
  }

  #forget(): void {
    const before = this.#options.now() - FORGET_MS
    for (const [origin, { pausedUntil, failingSince }] of this.#health) {
      if (!this.#underWay.has(origin) && Math.max(pausedUntil, failingSince) < before)
        this.#health.delete(origin)
    }
  }
}
