/** A map with a bound, for what strangers can fill: the least recently used entry goes first. */

/** Like `Map`, but reading refreshes an entry, and writing beyond `max` drops the one untouched for longest. */
export class BoundedMap<K, V extends object> {
  readonly #entries = new Map<K, V>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value) this.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#max) return
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest as K)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }
}
