/** Events of a socket on their way to a reader, so many at the most. */

/** Queue that a socket fills and a generator empties. */
export class EventBuffer<Item> {
  readonly #limit: number
  readonly #items: Item[] = []
  #end: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  /** @param limit the most items that wait. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds an item; false where the buffer is full or has ended, and the item is not taken. */
  push(item: Item): boolean {
    if (this.#end || this.#items.length >= this.#limit) return false
    this.#items.push(item)
    this.#wake()
    return true
  }

  /** Ends it after what waits; the first call decides. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error
        return
      }
      await new Promise<void>(done => {
        this.#wake = done
      })
    }
  }
}
