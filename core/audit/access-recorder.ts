/**
 * Access records: who looked at whom. An operation that reaches a customer or subscriber leaves one row for each of them,
 * written in batches after the response. Nothing is left out. Records that cannot be written yet wait, and once too many
 * wait, no customer or subscriber is shown until some are written.
 */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import type { Statements } from '../data/db.ts'
import { unavailable } from '../errors/catalogue.ts'
import { forRecords, type Logger } from '../observability/log.ts'
import { toStorable } from '../values/text.ts'

/** Subject of an operation that reaches everybody, such as a timeline without an owner. */
export const EVERYBODY = '*'

/** Trail of one operation: the subjects that it reaches. */
export interface AccessTrail {
  /** Subjects so far. Absent where this trail does not keep them. */
  readonly subjects?: ReadonlySet<string>
  /**
   * Records that an account (its number) or a subscriber (`+968…`) was reached; the same one again changes nothing.
   * @throws ServiceError SERVICE_UNAVAILABLE where no record can be taken: then nothing may be shown.
   */
  record(subject: string): void
}

/** Trail that records nothing, for what is recorded elsewhere: a subscription is recorded when it begins, not with each event. */
export const NO_TRAIL: AccessTrail = { record: () => undefined }

/** Trail that only collects. A gateway fills it with what its fetches report, and records that. */
export class CollectedTrail implements AccessTrail {
  readonly subjects = new Set<string>()

  record(subject: string): void {
    this.subjects.add(subject)
  }
}

/** Facts of a request whose readings are recorded. */
export interface ReadingRequest {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly correlator: string
  readonly operation?: string | undefined
  readonly operationId?: string | undefined
  readonly user?: string | undefined
  readonly principal?: { readonly clientId: string } | undefined
}

interface NewRecord {
  readonly at: Date
  readonly clientId: string
  readonly user: string | null
  readonly subject: string
  readonly operation: string | null
  readonly correlator: string
}

/**
 * Longest text of a record, in characters. Clients choose the name of an operation, and a subject that they ask for is recorded
 * even where it does not exist. An index takes no longer texts, and a batch that the database refuses would never be written.
 */
const MAX_TEXT = 256
/** Largest number of waiting records, about 30 MB: minutes of a busy portal while the database is away. */
const MAX_WAITING = 100_000
const MAX_BATCH = 2_000
/** Time in which records are gathered into one statement, in milliseconds. */
const GATHER_MS = 250
/** Time after which a batch that failed is tried again, in milliseconds. */
const AGAIN_MS = 1_000
/** Time without progress after which the watchdog reports it, in milliseconds. */
const STANDSTILL_MS = 30_000

export interface RecorderDependencies {
  readonly config: Pick<Config, 'readOnly'>
  readonly log: Logger
  readonly db: Pick<Statements, '$executeRaw'>
  readonly watchdog: Watchdog
  readonly metrics: { readonly registry: Registry }
}

const textOf = (text: string): string => toStorable(text.slice(0, MAX_TEXT))

const createMetrics = (registry: Registry, waiting: () => number) => {
  const registers = [registry]
  new Gauge({
    name: 'access_records_waiting',
    help: 'Records of who looked at whom that are not written yet',
    registers,
    collect() {
      this.set(waiting())
    },
  })
  return {
    written: new Counter({
      name: 'access_records_total',
      help: 'Records of who looked at whom that were written',
      registers,
    }),
    refused: new Counter({
      name: 'access_records_refused_total',
      help: 'Subscribers and customers that were not shown, since their reading could not be recorded',
      registers,
    }),
  }
}

/** Writes records as lines of the log, whatever its level: a process that only reads has no other place. */
const writeToLog = (log: Logger) => {
  const lines = forRecords(log)
  return async (records: readonly NewRecord[]) => {
    for (const access of records) lines.info({ access }, 'a subscriber was looked at')
  }
}

const writeToTable = (db: RecorderDependencies['db']) => async (records: readonly NewRecord[]) => {
  const column = <Name extends keyof NewRecord>(name: Name) => records.map(one => one[name])
  await db.$executeRaw`
    INSERT INTO audit.access_record (at, client_id, acting_user, subject, operation, correlator)
    SELECT * FROM unnest(${column('at')}::timestamptz[], ${column('clientId')}::text[], ${column('user')}::text[],
      ${column('subject')}::text[], ${column('operation')}::text[], ${column('correlator')}::text[])`
}

type AddRecord = (request: ReadingRequest, subject: string) => void

const NOBODY: ReadonlySet<string> = new Set()

/** Trail of one request, which records each subject once. */
class RecordedTrail implements AccessTrail {
  readonly #add: AddRecord
  readonly #request: ReadingRequest
  #known: Set<string> | undefined

  get subjects(): ReadonlySet<string> {
    return this.#known ?? NOBODY
  }

  constructor(request: ReadingRequest, add: AddRecord) {
    this.#request = request
    this.#add = add
  }

  record(subject: string): void {
    if (this.#known?.has(subject)) return
    this.#add(this.#request, subject)
    this.#known ??= new Set()
    this.#known.add(subject)
  }
}

export class AccessRecorder {
  readonly #log: Logger
  readonly #write: (records: readonly NewRecord[]) => Promise<void>
  readonly #metrics: ReturnType<typeof createMetrics>
  readonly #worker: Worker
  readonly #waiting: NewRecord[] = []
  #isRefusing = false

  constructor({ config, log, db, watchdog, metrics }: RecorderDependencies) {
    this.#log = log
    this.#write = config.readOnly ? writeToLog(log) : writeToTable(db)
    this.#metrics = createMetrics(metrics.registry, () => this.#waiting.length)
    this.#worker = createWorker({
      rounds: watchdog.over('access records', STANDSTILL_MS),
      run: (_, progress) => this.#writeAll(progress),
      sweepMs: AGAIN_MS,
      restMs: () => GATHER_MS,
      onError: error => log.warn({ err: error, waiting: this.#waiting.length }, 'access records wait'),
    })
    if (config.readOnly)
      log.info('this process only reads: who looked at whom is written to this log, and not to the database')
  }

  /** Makes the trail of a request. */
  trailOf(request: ReadingRequest): AccessTrail {
    return new RecordedTrail(request, this.#add)
  }

  /** Resolves when everything that was recorded is written. */
  idle(): Promise<void> {
    return this.#worker.idle()
  }

  /** Writes what waits, as far as the database takes it. */
  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.#writeAll(() => undefined).catch(error => {
      this.#log.error(
        { err: error, lost: this.#waiting.length },
        'the database took no more: records of who looked at whom are lost',
      )
    })
  }

  #add: AddRecord = (request, subject) => {
    if (this.#waiting.length >= MAX_WAITING) this.#refuse()
    const { at, principal, user, operation, operationId, correlator } = request
    const name = operation ?? operationId
    this.#waiting.push({
      at: new Date(at),
      clientId: textOf(principal?.clientId ?? ''),
      user: user === undefined ? null : textOf(user),
      subject: textOf(subject),
      operation: name === undefined ? null : textOf(name),
      correlator: textOf(correlator),
    })
    if (this.#waiting.length === 1) this.#worker.wake()
  }

  /** @throws ServiceError SERVICE_UNAVAILABLE. */
  #refuse(): never {
    this.#metrics.refused.inc()
    if (!this.#isRefusing)
      this.#log.error(
        { waiting: this.#waiting.length },
        'access records cannot be written: no subscriber is shown until they are',
      )
    this.#isRefusing = true
    throw unavailable('This access cannot be recorded at the moment, so nothing is shown; try again shortly')
  }

  async #writeAll(progress: () => void): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH)
      await this.#write(batch)
      this.#waiting.splice(0, batch.length)
      this.#metrics.written.inc(batch.length)
      progress()
    }
    if (this.#isRefusing) this.#log.info('access records are written again')
    this.#isRefusing = false
  }
}
