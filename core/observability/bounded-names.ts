/**
 * Names that become labels of metrics, bounded in number: clients choose the names of their operations, and every name
 * would be series for ever. The most used have labels of their own; all others are `other`.
 */
import { LRUCache } from 'lru-cache'

/** Label of all names that have none of their own. */
export const OTHER = 'other'

/** The most names without a label whose uses are counted. */
const MAX_COUNTED = 2_000

/** The most names whose labels are kept. */
const MAX_KEPT = 1_000

/** The longest name that becomes a label; a longer one is `other`. */
const MAX_LENGTH = 100

/** A name takes the place of another that is used half as often: so that two do not take turns. */
const ADVANTAGE = 2

interface Use {
  count: number
}

interface BoundedNamesOptions {
  /** The most names with labels, beside those that are kept. */
  readonly limit: number
  /** Called with a name that has lost its label. */
  onDropped?(name: string): void
}

export class BoundedNames {
  readonly #options: BoundedNamesOptions
  readonly #kept = new Set<string>()
  readonly #labelled = new Map<string, Use>()
  readonly #others = new LRUCache<string, Use>({ max: MAX_COUNTED })

  constructor(options: BoundedNamesOptions) {
    this.#options = options
  }

  /** Gives names labels that they keep: those that the operator has chosen. */
  keep(names: Iterable<string>): void {
    for (const name of names)
      if (this.#kept.size < MAX_KEPT && name.length <= MAX_LENGTH) this.#kept.add(name)
  }

  /** Label of a name that is used: itself, or `other`. */
  use(name: string): string {
    if (this.#kept.has(name)) return name
    const labelled = this.#labelled.get(name)
    if (labelled) {
      labelled.count += 1
      return name
    }
    if (name.length > MAX_LENGTH) return OTHER
    if (this.#labelled.size < this.#options.limit) {
      this.#labelled.set(name, { count: 1 })
      return name
    }
    const other = this.#others.get(name)
    if (other) other.count += 1
    else this.#others.set(name, { count: 1 })
    return OTHER
  }

  /** Gives the labels to the names that were used most since the last reviews; older uses count half. */
  review(): void {
    const rising = [...this.#others.entries()].toSorted(([, a], [, b]) => b.count - a.count)
    const falling = [...this.#labelled].toSorted(([, a], [, b]) => a.count - b.count)
    for (const [index, [name, use]] of rising.entries()) {
      const [last, least] = falling[index] ?? []
      if (last === undefined || use.count < ADVANTAGE * Math.max(1, least!.count)) break
      this.#labelled.delete(last)
      this.#options.onDropped?.(last)
      this.#others.delete(name)
      this.#labelled.set(name, use)
    }
    for (const use of [...this.#labelled.values(), ...this.#others.values()]) use.count /= 2
  }
}
