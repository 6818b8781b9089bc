/** A token bucket: so much a second on average, and a stock of it that may be used at once. */

/** How a bucket is filled. */
export interface BucketRate {
  /** What comes in a second. */
  readonly perSecond: number
  /** What it holds at the most. */
  readonly capacity: number
}

export class TokenBucket {
  #level: number
  #filledAt: number

  /** @param now milliseconds on any clock that does not run backwards. */
  constructor({ capacity }: BucketRate, now: number) {
    this.#level = capacity
    this.#filledAt = now
  }

  /** What it holds; a rate that has changed counts from here on. */
  level({ perSecond, capacity }: BucketRate, now: number): number {
    this.#level = Math.min(capacity, this.#level + ((now - this.#filledAt) * perSecond) / 1_000)
    this.#filledAt = now
    return this.#level
  }

  /**
   * Takes `amount` if the bucket holds it; more than it can ever hold is taken from a full one.
   * @returns 0, or the seconds until there will be enough.
   */
  take(amount: number, rate: BucketRate, now: number): number {
    const wanted = Math.min(amount, rate.capacity)
    const missing = wanted - this.level(rate, now)
    if (missing > 0) return missing / rate.perSecond
    this.#level -= wanted
    return 0
  }

  /** Takes what was used already: the bucket may owe as much as it holds. */
  owe(amount: number, rate: BucketRate, now: number): void {
    this.#level = Math.max(this.level(rate, now) - amount, -rate.capacity)
  }
}
