/** Sums of uses of the schema on their way to the database, bounded in number. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** Uses of whole texts that are remembered apart; more are added up by coordinate. */
const MAX_TEXTS = 1_000
/** Sums that may wait, about 20 MB: every client and coordinate of a large installation for an hour. */
const MAX_WAITING = 100_000

interface Count {
  count: number
  /** Milliseconds since 1970. */
  lastAt: number
}

/** Sum of an hour, a client and a coordinate. */
export interface Sum extends Count {
  readonly hour: number
  readonly clientId: string
  readonly coordinate: string
}

const add = (count: Count, other: Count): void => {
  count.count += other.count
  count.lastAt = Math.max(count.lastAt, other.lastAt)
}

/** Uses of an hour by client, as lists of coordinates; most clients send the same few texts. */
export class HourUses {
  readonly hour: number
  readonly #byClient = new Map<string, Map<readonly string[], Count>>()
  #size = 0

  constructor(hour: number) {
    this.hour = hour
  }

  get isFull(): boolean {
    return this.#size >= MAX_TEXTS
  }

  add(clientId: string, coordinates: readonly string[], lastAt: number): void {
    const lists = this.#byClient.get(clientId) ?? new Map<readonly string[], Count>()
    this.#byClient.set(clientId, lists)
    const known = lists.get(coordinates)
    if (known) {
      add(known, { count: 1, lastAt })
    } else {
      lists.set(coordinates, { count: 1, lastAt })
      this.#size += 1
    }
  }

  *sums(): Generator<Sum> {
    for (const [clientId, lists] of this.#byClient)
      for (const [coordinates, count] of lists)
        for (const coordinate of coordinates) yield { hour: this.hour, clientId, coordinate, ...count }
  }
}

/** Sums that wait to be written, bounded in number. */
export class WaitingSums {
  #sums = new Map<string, Sum>()
  #lost = 0

  get size(): number {
    return this.#sums.size
  }

  /** Uses that were not counted, since too much waited. */
  get lost(): number {
    return this.#lost
  }

  add(sum: Sum): void {
    const key = `${sum.hour}\n${sum.clientId}\n${sum.coordinate}`
    const known = this.#sums.get(key)
    if (known) add(known, sum)
    else if (this.#sums.size < MAX_WAITING) this.#sums.set(key, { ...sum })
    else this.#lost += sum.count
  }

  /** Takes all, in the order in which every writer locks rows. */
  take(): Sum[] {
    const sums = [...this.#sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
    this.#sums = new Map()
    return sums
  }
}

/** Shows at each scrape how many sums wait, and how many uses were lost. */
export const showWaiting = (
  registry: Registry,
  { size, lost }: { readonly size: () => number; readonly lost: () => number },
): void => {
  const registers = [registry]
  new Gauge({
    name: 'schema_use_waiting',
    help: 'Sums of what clients use of the schema that are not written yet',
    registers,
    collect() {
      this.set(size())
    },
  })
  new Counter({
    name: 'schema_use_lost_total',
    help: 'Uses of the schema that were not counted, since too much waited',
    registers,
    collect() {
      this.reset()
      this.inc(lost())
    },
  })
}
