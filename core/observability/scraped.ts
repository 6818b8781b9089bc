/**
 * Gauges whose values are read from elsewhere at a scrape, mostly from the database. A reading has a limit, is kept for a
 * second, and never runs twice at once: a scrape costs little however often it comes, and where the database is away it
 * says so and does not wait.
 */
import { Gauge, type Registry } from 'prom-client'
import { withTimeout } from '../async/deadline.ts'

/** Limit of a reading in milliseconds; scrapers wait for ten seconds, and a person for less. */
const LIMIT_MS = 1_000
/** For how long a reading counts, in milliseconds. */
const KEPT_MS = 1_000

interface ReadingLimits {
  readonly limitMs?: number
  readonly keptMs?: number
}

/** Makes a function that resolves with what `read` brings; undefined where it fails, or is not there in time. */
export function createReading<T>(
  read: () => Promise<T>,
  { limitMs = LIMIT_MS, keptMs = KEPT_MS }: ReadingLimits = {},
): () => Promise<T | undefined> {
  let running: Promise<T | undefined> | undefined
  let isLate = false
  let kept: T | undefined
  let keptUntil = Number.NEGATIVE_INFINITY
  const start = async (): Promise<T | undefined> => {
    try {
      return await read()
    } catch {
      return undefined
    }
  }
  const begin = () => {
    isLate = false
    running = start().then(found => {
      kept = found
      keptUntil = performance.now() + keptMs
      running = undefined
      return found
    })
    return running
  }
  const late = () => {
    isLate = true
    kept = undefined
    return undefined
  }
  return async () => {
    if (performance.now() < keptUntil) return kept
    // It was waited for once: what it brings is for a later scrape.
    if (running && isLate) return undefined
    return withTimeout<T | undefined>(running ?? begin(), limitMs, late)
  }
}

/** A value of a gauge. */
export interface Figure<Name extends string> {
  readonly gauge: Name
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** Gauges whose values a reading brings together. */
export interface ScrapedGauges<Name extends string> {
  /** Shows what `read` brings from now on, in place of another reading of the same key. */
  watch(key: string, read: () => Promise<readonly Figure<Name>[]>): void
}

/** A gauge, and how values with the same labels of several readings are joined. */
interface GaugeDescription {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  readonly join?: 'sum' | 'max'
}

const fill = <Name extends string>(
  gauge: Gauge,
  join: GaugeDescription['join'],
  found: readonly Figure<Name>[],
) => {
  gauge.reset()
  for (const same of Map.groupBy(found, ({ labels = {} }) => JSON.stringify(labels)).values()) {
    const values = same.map(({ value }) => value)
    const joined = join === 'max' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
    gauge.set(same[0]!.labels ?? {}, joined)
  }
}

/**
 * Makes gauges that share their readings. Where one fails, its series are left out, since the last ones would say that
 * all is as it was.
 */
export function createScrapedGauges<Name extends string>(
  registry: Registry,
  gauges: Readonly<Record<Name, GaugeDescription>>,
  limits?: ReadingLimits,
): ScrapedGauges<Name> {
  const readings = new Map<string, () => Promise<readonly Figure<Name>[] | undefined>>()
  const readAll = async () => {
    const found = await Promise.all([...readings.values()].map(read => read()))
    return found.flatMap(one => one ?? [])
  }
  for (const [key, { join, ...described }] of Object.entries<GaugeDescription>(gauges)) {
    new Gauge({
      ...described,
      registers: [registry],
      async collect() {
        const found = await readAll()
        fill(
          this,
          join,
          found.filter(({ gauge }) => gauge === key),
        )
      },
    })
  }
  return { watch: (key, read) => void readings.set(key, createReading(read, limits)) }
}
