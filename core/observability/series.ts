/**
 * Counts and durations of requests: a series is looked up once by its labels, and is a few numbers from then on.
 *
 * Own code where prom-client has counters and histograms: those sort and join their labels at each observation, which is
 * a microsecond or two of the fifty that a small request takes, and has the durations of requests twice.
 */
import { type Family, labelsText, numberText, type Sample } from './exposition.ts'

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
