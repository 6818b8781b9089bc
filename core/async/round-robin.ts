/** Queue in which owners take turns. */

/** Queue of items by owner: owners are served in turn, and the items of one owner in the sequence in which they came. */
export class RoundRobin<Owner, Item> {
  /** Items by owner; the owner at the front is the next one. */
  readonly #queues = new Map<Owner, Set<Item>>()

  get isEmpty(): boolean {
    return this.#queues.size === 0
  }

  add(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue) queue.add(item)
    else this.#queues.set(owner, new Set([item]))
  }

  remove(owner: Owner, item: Item): void {
    const queue = this.#queues.get(owner)
    if (queue?.delete(item) && queue.size === 0) this.#queues.delete(owner)
  }

  /** Takes the first item of the next owner that may have its turn; that owner is then the last one. */
  take(mayHave: (owner: Owner) => boolean = () => true): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      if (!mayHave(owner)) continue
      const [first] = queue
      queue.delete(first!)
      this.#queues.delete(owner)
      if (queue.size > 0) this.#queues.set(owner, queue)
      return first
    }
    return undefined
  }
}
