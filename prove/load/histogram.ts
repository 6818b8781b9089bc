/** Latencies by the hundred thousand, in buckets that are two parts in a hundred wide. */

const WIDTH = Math.log(1.02)
const LEAST_MS = 0.01

export interface Latency {
  readonly count: number
  /** In milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export class Histogram {
  readonly #buckets: number[] = []
  #count = 0
  #max = 0

  add(ms: number): void {
    const index = Math.max(0, Math.ceil(Math.log(ms / LEAST_MS) / WIDTH))
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1
    this.#count++
    if (ms > this.#max) this.#max = ms
  }

  get latency(): Latency {
    return { count: this.#count, p50: this.#at(0.5), p99: this.#at(0.99), max: this.#max }
  }

  /** The upper bound of the bucket that this share of all lies within. */
  #at(share: number): number {
    let left = Math.ceil(this.#count * share)
    if (left === 0) return 0
    const index = this.#buckets.findIndex(count => {
      left -= count ?? 0
      return left <= 0
    })
    return Math.min(this.#max, LEAST_MS * Math.exp(index * WIDTH))
  }
}
