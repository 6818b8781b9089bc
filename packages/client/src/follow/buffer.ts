/** Bounded queue between a socket and the reader of its events. */

/** Queue that a socket fills and a generator empties. */
export class EventBuffer<Item> {
  readonly #limit: number
  readonly #items: Item[] = []
  #end: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  /** @param limit the largest number of items that may wait. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds an item. @returns false where the buffer is full or has ended; the item is not added then. */
  push(item: Item): boolean {
    if (this.#end || this.#items.length >= this.#limit) return false
    this.#items.push(item)
    this.#wake()
    return true
  }

  /** Ends the queue after the items that wait, with an error if one is given. Further calls change nothing. */
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
