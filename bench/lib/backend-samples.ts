/**
 * Processor time of a database's backends by kind of statement, on a PostgreSQL as it is installed:
 * the system says how long each backend ran, and `pg_stat_activity`, looked at every few milliseconds, with what.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** A kind of statement, and what is found in the text of those of it; the first that fits counts. */
export type StatementKinds = readonly (readonly [kind: string, pattern: RegExp])[]

/** Microseconds of processor time, by kind. */
export type BackendTime = ReadonlyMap<string, number>

const SAMPLE_MS = 3
/** Seldom enough to cost little, often enough that little of a backend that ends is missed. */
const LOOKS_PER_READING = 30

const BACKENDS = `SELECT pid, state = 'active' AND wait_event IS NULL AS runs, query FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'partner-graph' AND backend_type = 'client backend'`

interface Backend {
  readonly pid: number
  readonly runs: boolean
  readonly query: string
}

/** How long the process has run, in microseconds; undefined once it has ended. */
const processorTime = async (pid: number): Promise<number | undefined> => {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / 1_000
}

export class BackendSamples {
  readonly #client: pg.Client
  readonly #kinds: StatementKinds
  readonly #seen = new Map<string, number>()
  /** The first and the last reading of each backend. */
  readonly #times = new Map<number, { readonly first: number; last: number }>()
  #stopped = false
  #sampling: Promise<void> | undefined

  /** @param client a connection to the database on this machine, which nobody else uses meanwhile. */
  constructor(client: pg.Client, kinds: StatementKinds) {
    this.#client = client
    this.#kinds = kinds
  }

  /** @throws Error when the database is on another machine. */
  async start(): Promise<void> {
    for (const { pid } of await this.#look()) await this.#read(pid, undefined)
    if (this.#times.size === 0) throw new Error('No backend of the program runs on this machine')
    this.#sampling = this.#sample()
  }

  /** The processor time since the start, divided among the kinds as they were met. */
  async stop(): Promise<BackendTime> {
    this.#stopped = true
    await this.#sampling
    await this.#readAll(await this.#look())
    const total = [...this.#times.values()].reduce((sum, { first, last }) => sum + last - first, 0)
    const looks = [...this.#seen.values()].reduce((sum, count) => sum + count, 0)
    return new Map([...this.#seen].map(([kind, count]) => [kind, (total * count) / looks]))
  }

  async #sample(): Promise<void> {
    for (let look = 0; !this.#stopped; look += 1) {
      const backends = await this.#look()
      for (const { runs, query } of backends) if (runs) this.#count(query)
      if (look % LOOKS_PER_READING === 0) await this.#readAll(backends)
      await delay(SAMPLE_MS)
    }
  }

  async #look(): Promise<Backend[]> {
    return (await this.#client.query<Backend>(BACKENDS)).rows
  }

  #count(query: string): void {
    const kind = this.#kinds.find(([, pattern]) => pattern.test(query))?.[0] ?? 'other'
    this.#seen.set(kind, (this.#seen.get(kind) ?? 0) + 1)
  }

  async #readAll(backends: readonly Backend[]): Promise<void> {
    for (const { pid } of backends) await this.#read(pid, 0)
  }

  /** @param first what one counts from that was not met before; from now on, where undefined. */
  async #read(pid: number, first: number | undefined): Promise<void> {
    const now = await processorTime(pid)
    if (now === undefined) return
    const known = this.#times.get(pid)
    if (known) known.last = now
    else this.#times.set(pid, { first: first ?? now, last: now })
  }
}
