/**
 * The request log: each request of a client as a row of `activity.request`, written in batches off the request's way. A
 * batch is followed by a rest of a hundred times its duration, so that the log takes a hundredth of the database's
 * time, and less of it the busier the database is. What comes meanwhile waits in a bounded queue: above its mark, requests that
 * are alike become one entry that counts them, so that sums stay exact while less is written.
 */
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import type { Platform } from '../context/app.ts'
import { isRefusedInput } from '../data/database-errors.ts'
import type { Degradation, HealthCheck } from '../http/health.ts'
import type { RequestFacts } from '../observability/request-facts.ts'
import { showRequestLog } from './metrics.ts'
import { type LoggedRequest, RequestTable } from './table.ts'

/** Some two seconds of a busy process, in a megabyte. */
const LIMITS = { mark: 1_000, most: 2_000 }
/** Time in milliseconds in which the first requests of a batch wait for others. */
const GATHER_MS = 500
const REST_TIMES = 100
const LONGEST_REST_MS = 10_000
/** A standstill, for a batch takes milliseconds. */
const STANDSTILL_MS = 60_000
/** Time in milliseconds until the first upkeep of partitions: a process that ends before leaves it to others. */
const FIRST_UPKEEP_MS = 60_000
const UPKEEP_MS = 3_600_000
const LOOK_MS = 60_000
/** Time in milliseconds for which readiness says that rows stood for several requests. */
const SAMPLED_MS = 60_000

/** Requests that are a client's, and answered by this process. */
const isLogged = ({ way, passedTo, principal }: RequestFacts): boolean =>
  passedTo === undefined && way !== 'FETCH' && (way !== 'PAGE' || principal !== undefined)

interface QueueLimits {
  /** Entries from which on successful requests that posted nothing are joined with others like them. */
  readonly mark: number
  /** Most entries: beyond, all requests are joined with others like them. */
  readonly most: number
}

/** Requests are alike where they differ in time, duration, transaction and correlator alone. */
const likenessOf = ({ principal, way, operation, status, code, reason, field }: RequestFacts): string =>
  `${principal?.clientId}\n${way}\n${operation}\n${status}\n${code}\n${reason}\n${field}`

const isOrdinary = ({ code, transactionId }: RequestFacts): boolean =>
  code === undefined && transactionId === undefined

/** Ended requests on their way to the log. */
export class RequestQueue {
  readonly #limits: QueueLimits
  #entries: LoggedRequest[] = []
  /** Entries by their likeness, as long as the queue is above its mark. */
  #alike: Map<string, LoggedRequest> | undefined
  #joined = 0
  #lost = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Entries that wait. */
  get size(): number {
    return this.#entries.length
  }

  /** Requests so far that became part of another's entry. */
  get joined(): number {
    return this.#joined
  }

  /** Requests so far that no entry stands for, since the queue was full of others. */
  get lost(): number {
    return this.#lost
  }

  add(facts: RequestFacts): void {
    const { mark, most } = this.#limits
    if (this.size < mark || (this.size < most && !isOrdinary(facts))) this.#push({ facts, weight: 1 })
    else this.#join(facts, this.size < most)
  }

  /** Takes all entries. */
  take(): LoggedRequest[] {
    const taken = this.#entries
    this.#entries = []
    this.#alike = undefined
    return taken
  }

  /** Puts entries back that could not be written. Those beyond `room` are counted as lost. */
  giveBack(entries: readonly LoggedRequest[], room = Math.max(0, this.#limits.most - this.size)): void {
    for (const { weight } of entries.slice(room)) this.#lost += weight
    this.#entries = [...entries.slice(0, room), ...this.#entries]
    this.#alike = undefined
  }

  #push(entry: LoggedRequest): void {
    this.#entries.push(entry)
    this.#alike?.set(likenessOf(entry.facts), entry)
  }

  #join(facts: RequestFacts, hasRoom: boolean): void {
    this.#alike ??= new Map(this.#entries.map(entry => [likenessOf(entry.facts), entry]))
    const entry = this.#alike.get(likenessOf(facts))
    if (entry) {
      entry.weight += 1
      this.#joined += 1
    } else if (hasRoom) this.#push({ facts, weight: 1 })
    else this.#lost += 1
  }
}

export type RequestLogDependencies = Pick<
  Platform,
  'config' | 'db' | 'records' | 'log' | 'watchdog' | 'metrics' | 'requests'
>

export interface RequestLog {
  /** Says for readiness why rows are missing, or stand for several requests; the process serves nevertheless. */
  readonly check: HealthCheck
  /** Writes what waits. */
  readonly flush: () => Promise<void>
  /** Writes what waits, and takes no more. */
  readonly stop: () => Promise<void>
}

class WritingLog implements RequestLog {
  readonly #app: RequestLogDependencies
  readonly #table: RequestTable
  readonly #queue = new RequestQueue(LIMITS)
  readonly #worker: Worker
  readonly #unlisten: () => void
  readonly #upkeep: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  /** Earliest time of the next batch, by `performance.now()`. */
  #next = 0
  #upkeepAt = performance.now() + FIRST_UPKEEP_MS
  #failingSince: Date | undefined
  /** Requests that were lost before the present outage. */
  #lostBefore = 0
  #joinedAt: Date | undefined

  constructor(app: RequestLogDependencies, { requestLogDays }: Pick<Config, 'requestLogDays'>) {
    this.#app = app
    this.#table = new RequestTable(app, requestLogDays)
    this.#worker = createWorker({
      rounds: app.watchdog.over('request log', STANDSTILL_MS),
      run: () => this.#round(),
      onError: error => app.log.warn({ err: error }, 'requests could not be recorded; tried again soon'),
    })
    this.#unlisten = app.requests.onEnd(facts => this.#add(facts))
    this.#upkeep = setInterval(() => this.#worker.wake(), LOOK_MS).unref()
    showRequestLog(this.#app.metrics.registry, this.#queue)
  }

  readonly check = (): Degradation[] => {
    const { lost, size } = this.#queue
    const found = (reason: string, since: Date) => ({ part: 'request log', reason, since, isWarning: true })
    if (this.#failingSince)
      return [found(`requests cannot be recorded: ${size} wait, ${lost} were lost`, this.#failingSince)]
    if (!this.#joinedAt || Date.now() - this.#joinedAt.getTime() > SAMPLED_MS) return []
    return [
      found('more requests come than are recorded one by one: a row stands for several', this.#joinedAt),
    ]
  }

  readonly flush = (): Promise<void> => this.#worker.idle()

  readonly stop = async (): Promise<void> => {
    this.#unlisten()
    clearInterval(this.#upkeep)
    clearTimeout(this.#timer)
    await this.#worker.stop()
    await this.#write().catch(error => {
      const { size: waiting, lost } = this.#queue
      this.#app.log.warn({ err: error, requests: waiting, lost }, 'the last requests were not recorded')
    })
  }

  #add(facts: RequestFacts): void {
    if (!isLogged(facts)) return
    this.#queue.add(facts)
    this.#timer ??= this.#wakeSoon()
  }

  #wakeSoon(): NodeJS.Timeout {
    const wait = Math.max(GATHER_MS, this.#next - performance.now())
    return setTimeout(() => this.#worker.wake(), wait).unref()
  }

  async #round(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const began = performance.now()
    try {
      await this.#write()
      if (began < this.#upkeepAt) return
      this.#upkeepAt = performance.now() + UPKEEP_MS
      await this.#table.keepUp()
    } finally {
      const ended = performance.now()
      this.#next = ended + Math.min(LONGEST_REST_MS, REST_TIMES * (ended - began))
      if (this.#queue.size > 0) this.#timer ??= this.#wakeSoon()
    }
  }

  async #write(): Promise<void> {
    const entries = this.#queue.take()
    if (entries.length === 0) return
    if (entries.some(({ weight }) => weight > 1)) this.#joinedAt = new Date()
    try {
      await this.#table.insert(entries)
      this.#recovered()
    } catch (error) {
      if (!this.#failingSince) this.#lostBefore = this.#queue.lost
      this.#failingSince ??= new Date()
      // Rows that the database refuses would keep all others from it, so they are lost.
      this.#queue.giveBack(entries, isRefusedInput(error) ? 0 : undefined)
      throw error
    }
  }

  /** Reports the end of an outage, with what it cost. */
  #recovered(): void {
    if (!this.#failingSince) return
    const lost = this.#queue.lost - this.#lostBefore
    this.#app.log.info({ since: this.#failingSince, lost }, 'requests are recorded again')
    this.#failingSince = undefined
  }
}

const nothing = async () => undefined

const NOTHING: RequestLog = { check: () => [], flush: nothing, stop: nothing }

const logged = new WeakSet<RequestLogDependencies['requests']>()

/**
 * Starts the log. A process that only reads, or that keeps requests for no day, has none; servers of one process share the
 * first one's.
 */
export const startRequestLog = (app: RequestLogDependencies): RequestLog => {
  if (app.config.readOnly || app.config.requestLogDays === 0 || logged.has(app.requests)) return NOTHING
  logged.add(app.requests)
  return new WritingLog(app, app.config)
}
