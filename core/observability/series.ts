/**
 * Counts and durations of requests: a series is looked up once by its labels, and is a few numbers from then on.
 *
 * Names that become labels are bounded in number: clients choose the names of their operations, and every name would be series
 * for ever. The most used have labels of their own; all others are `other`.
 *
 * Own code where prom-client has counters and histograms: those sort and join their labels at each observation, which is
 * a microsecond or two of the fifty that a small request takes, and has the durations of requests twice.
 */
import { LRUCache } from 'lru-cache'
import { type Family, labelsText, numberText, type Sample } from './exposition.ts'

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

type Labels = Readonly<Record<string, string>>

/** Example of an observation: labels that lead to it, such as the id of its trace. */
interface Exemplar {
  readonly labels: Labels
  readonly value: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The most characters of an exemplar's names and values (OpenMetrics, "Exemplars"). */
const MAX_EXEMPLAR = 128

const fits = (labels: Labels): boolean =>
  Object.entries(labels).reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= MAX_EXEMPLAR

const exemplarText = ({ labels, value, at }: Exemplar): string =>
  `{${labelsText(labels)}} ${numberText(value)} ${numberText(at / 1_000)}`

/** A counter with given labels. */
export class CountSeries {
  readonly #labels: string
  value = 0

  constructor(labels: Labels) {
    this.#labels = labelsText(labels)
  }

  /** Samples of it, under the name of its family. */
  samples(name: string): Sample[] {
    return [{ name, labels: this.#labels, value: numberText(this.value) }]
  }
}

/** A histogram with given labels. */
export class DurationSeries {
  readonly #labels: string
  readonly #bounds: readonly number[]
  /** Observations of each bucket alone; the last is that of what is above all bounds. */
  readonly #counts: number[]
  readonly #exemplars: (Exemplar | undefined)[]
  #sum = 0

  /** @param bounds upper bounds of the buckets in seconds, in ascending order. */
  constructor(labels: Labels, bounds: readonly number[]) {
    this.#labels = labelsText(labels)
    this.#bounds = bounds
    this.#counts = [...bounds, 0].fill(0)
    this.#exemplars = this.#counts.map(() => undefined)
  }

  /** Whether nothing was counted. */
  get isEmpty(): boolean {
    return this.#counts.every(count => count === 0)
  }

  /**
   * Counts a duration.
   * @param exemplar labels that lead to what took so long; left out where they are too long to be written.
   */
  observe(seconds: number, exemplar?: Labels): void {
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket += 1
    this.#counts[bucket]! += 1
    this.#sum += seconds
    if (exemplar) this.#exemplars[bucket] = { labels: exemplar, value: seconds, at: Date.now() }
  }

  samples(name: string): Sample[] {
    const lead = this.#labels === '' ? '' : `${this.#labels},`
    let count = 0
    const buckets = this.#counts.map((own, index) => {
      count += own
      const exemplar = this.#exemplars[index]
      return {
        name: `${name}_bucket`,
        labels: `${lead}le="${this.#bounds[index] ?? '+Inf'}"`,
        value: numberText(count),
        exemplar: exemplar && fits(exemplar.labels) ? exemplarText(exemplar) : undefined,
      }
    })
    return [
      ...buckets,
      { name: `${name}_sum`, labels: this.#labels, value: numberText(this.#sum) },
      { name: `${name}_count`, labels: this.#labels, value: numberText(count) },
    ]
  }
}

interface SeriesDescription {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'histogram'
}

/** Writes the family of these series. */
export const familyOf = (
  { name, help, type }: SeriesDescription,
  series: Iterable<CountSeries | DurationSeries>,
): Family => ({ name, help, type, samples: [...series].flatMap(one => one.samples(name)) })
