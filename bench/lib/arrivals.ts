/** Events that have arrived, with their latencies, and the number of them to wait for. */
import { type Percentiles, percentiles } from './percentiles.ts'

/** Milliseconds; latencies are from the event's own time, on the same machine's clock. */
export interface Arrived extends Percentiles {
  readonly count: number
  /** From the first to the last. */
  readonly spanMs: number
  readonly perSecond: number
}

/** How much to wait for, and for how long. */
export interface Expectation {
  readonly count: number
  readonly withinMs: number
}

const EVENT_TIME = /"eventTime":"([^"]+)"/

export class Arrivals {
  #latencies: number[] = []
  #first = 0
  #last = 0
  #count = 0
  #onArrival: () => void = () => undefined

  /** Takes note of a message with the event's time in it. */
  add(text: string): void {
    this.#last = Date.now()
    if (this.#count++ === 0) this.#first = this.#last
    const time = EVENT_TIME.exec(text)?.[1]
    if (time) this.#latencies.push(this.#last - Date.parse(time))
    this.#onArrival()
  }

  /** Forgets everything. */
  reset(): void {
    this.#latencies = []
    this.#count = 0
  }

  report(): Arrived {
    const spanMs = this.#last - this.#first
    const perSecond = ((this.#count - 1) * 1_000) / Math.max(1, spanMs)
    return { count: this.#count, spanMs, perSecond, ...percentiles(this.#latencies) }
  }

  /** @throws Error when not so many have come in time, with how many have. */
  until({ count, withinMs }: Expectation): Promise<Arrived> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#count} of ${count} have arrived`)), withinMs)
      this.#onArrival = () => {
        if (this.#count < count) return
        clearTimeout(timer)
        this.#onArrival = () => undefined
        resolve(this.report())
      }
      this.#onArrival()
    })
  }
}
