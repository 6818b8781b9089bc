/** Small work that is done beside everything else, and takes no more than its share of the processor's time, however much there is of it. */

interface SpareTimeOptions {
  /** Part of the time that it may take. */
  readonly share: number
  /** The longest that it takes in one go, in milliseconds. */
  readonly spellMs: number
}

/** Pieces of work between two looks at the clock. */
const BETWEEN_LOOKS = 8

export class SpareTime<Item> {
  readonly #act: (item: Item) => void
  readonly #options: SpareTimeOptions
  #waiting: Item[] = []
  #isDue = false
  #restUntil = 0

  constructor(act: (item: Item) => void, options: SpareTimeOptions) {
    this.#act = act
    this.#options = options
  }

  /** Does it soon: after what came before it, when the share allows. */
  add(item: Item): void {
    this.#waiting.push(item)
    if (!this.#isDue) this.#schedule()
  }

  #schedule(): void {
    this.#isDue = true
    const restMs = this.#restUntil - performance.now()
    if (restMs > 0) setTimeout(() => this.#spell(), restMs)
    else setImmediate(() => this.#spell())
  }

  #spell(): void {
    const { share, spellMs } = this.#options
    const began = performance.now()
    let done = 0
    while (done < this.#waiting.length) {
      this.#act(this.#waiting[done]!)
      done += 1
      if (done % BETWEEN_LOOKS === 0 && performance.now() - began >= spellMs) break
    }
    this.#waiting = this.#waiting.slice(done)
    this.#restUntil = began + (performance.now() - began) / share
    this.#isDue = false
    if (this.#waiting.length > 0) this.#schedule()
  }
}
