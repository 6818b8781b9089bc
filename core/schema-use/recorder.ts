/**
 * Record of what each client uses of the schema, hour by hour: how often, and when last. Uses are added up in memory and
 * written in batches off the request's way. Every batch has a number of its writer, so that one whose commit was not
 * confirmed is sent again and counted once.
 */
import type { Registry } from 'prom-client'
import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import type { Statements } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'
import { newId } from '../values/id.ts'
import type { SchemaUse } from './coordinates.ts'
import { HourUses, type Sum, showWaiting, WaitingSums } from './sums.ts'

const HOUR_MS = 3_600_000
const MAX_BATCH = 1_000
/** Rest after a batch, in times of its duration: the database gives a hundredth of its time for it. */
const REST_TIMES = 100
const LONGEST_REST_MS = 30_000
/** Time in which uses are gathered, and after which a batch that failed is tried again, in milliseconds. */
const SWEEP_MS = 5_000
/** Time without progress after which the watchdog reports it, in milliseconds. */
const STANDSTILL_MS = 300_000
const UPKEEP_MS = HOUR_MS
/** Rows that one statement of the upkeep deletes. */
const MAX_DELETED = 10_000

/** Rows that are written by one statement, and its number. */
interface Batch {
  readonly number: number
  readonly rows: readonly Sum[]
}

export interface SchemaUseDependencies {
  readonly config: Pick<Config, 'readOnly' | 'schemaUseDays'>
  readonly log: Logger
  readonly db: Pick<Statements, '$executeRaw'>
  readonly watchdog: Watchdog
  readonly metrics: { readonly registry: Registry }
}

/** Records uses of the schema. */
export interface SchemaUseRecorder {
  /** Counts one execution of an operation. */
  record(clientId: string, use: Pick<SchemaUse, 'text' | 'variables'>): void
  /** Resolves when everything that was recorded is written. */
  idle(): Promise<void>
  /** Writes what waits, as far as the database takes it. */
  stop(): Promise<void>
}

class WritingRecorder implements SchemaUseRecorder {
  readonly #dependencies: SchemaUseDependencies
  readonly #writer = newId()
  readonly #waiting = new WaitingSums()
  readonly #worker: Worker
  readonly #batches: Batch[] = []
  #uses = new HourUses(0)
  #number = 0
  #upkeepAt = performance.now() + UPKEEP_MS
  /** Earliest time of the next batch, by `performance.now()`. */
  #nextAt = 0

  constructor(dependencies: SchemaUseDependencies) {
    const { watchdog, log, metrics } = dependencies
    this.#dependencies = dependencies
    this.#worker = createWorker({
      rounds: watchdog.over('schema use', STANDSTILL_MS),
      run: (_, progress) => this.#round(progress),
      sweepMs: SWEEP_MS,
      onError: error => log.warn({ err: error, waiting: this.#size }, 'uses of the schema wait'),
    })
    showWaiting(metrics.registry, { size: () => this.#size, lost: () => this.#waiting.lost })
  }

  /** Number of sums that are not written yet, those of batches too. */
  get #size(): number {
    return this.#batches.reduce((sum, { rows }) => sum + rows.length, this.#waiting.size)
  }

  record(clientId: string, { text, variables }: Pick<SchemaUse, 'text' | 'variables'>): void {
    const at = Date.now()
    const hour = Math.floor(at / HOUR_MS)
    if (this.#uses.hour !== hour || this.#uses.isFull) this.#addUp(hour)
    this.#uses.add(clientId, text, at)
    for (const coordinate of variables)
      this.#waiting.add({ hour, clientId, coordinate, count: 1, lastAt: at })
  }

  idle(): Promise<void> {
    this.#nextAt = 0
    return this.#worker.idle()
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.#writeAll(() => undefined).catch(error => {
      const { log } = this.#dependencies
      log.error({ err: error, lost: this.#size }, 'the last uses of the schema were not recorded')
    })
  }

  /** Adds uses of texts to the sums, and begins anew. */
  #addUp(hour: number): void {
    for (const sum of this.#uses.sums()) this.#waiting.add(sum)
    this.#uses = new HourUses(hour)
  }

  async #round(progress: () => void): Promise<void> {
    const began = performance.now()
    if (began < this.#nextAt) return
    await this.#writeAll(progress)
    const ended = performance.now()
    this.#nextAt = ended + Math.min(LONGEST_REST_MS, REST_TIMES * (ended - began))
  }

  async #writeAll(progress: () => void): Promise<void> {
    await this.#writeBatches(progress)
    this.#addUp(this.#uses.hour)
    const sums = this.#waiting.take()
    for (let at = 0; at < sums.length; at += MAX_BATCH) {
      this.#number += 1
      this.#batches.push({ number: this.#number, rows: sums.slice(at, at + MAX_BATCH) })
    }
    await this.#writeBatches(progress)
    if (performance.now() >= this.#upkeepAt) await this.#deleteExpired(progress)
  }

  async #writeBatches(progress: () => void): Promise<void> {
    for (let [batch] = this.#batches; batch; [batch] = this.#batches) {
      await this.#write(batch)
      this.#batches.shift()
      progress()
    }
  }

  /** Writes a batch unless it was: an earlier attempt may have been committed although nothing confirmed it. */
  async #write({ number, rows }: Batch): Promise<void> {
    const { db } = this.#dependencies
    await db.$executeRaw`
      WITH turn AS (
        INSERT INTO activity.schema_use_writer AS w (id, batch, at) VALUES (${this.#writer}::uuid, ${number}::int, now())
        ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = excluded.at WHERE w.batch < excluded.batch
        RETURNING 1)
      INSERT INTO activity.schema_use AS u (coordinate, client_id, hour, count, last_at)
      SELECT n.coordinate, n.client_id, n.hour, n.count, n.last_at
      FROM unnest(${rows.map(one => one.coordinate)}::text[], ${rows.map(one => one.clientId)}::text[],
        ${rows.map(one => new Date(one.hour * HOUR_MS))}::timestamptz[], ${rows.map(one => one.count)}::bigint[],
        ${rows.map(one => new Date(one.lastAt))}::timestamptz[]) n (coordinate, client_id, hour, count, last_at)
      WHERE EXISTS (SELECT 1 FROM turn)
      ON CONFLICT (coordinate, client_id, hour) DO UPDATE
      SET count = u.count + excluded.count, last_at = greatest(u.last_at, excluded.last_at)`
  }

  /** Deletes hours that have expired, and writers that are gone: a batch is tried again within minutes or never. */
  async #deleteExpired(progress: () => void): Promise<void> {
    this.#upkeepAt = performance.now() + UPKEEP_MS
    const { db, config } = this.#dependencies
    await deleteExpiredUses(db, config.schemaUseDays, progress)
    await db.$executeRaw`DELETE FROM activity.schema_use_writer WHERE at < now() - interval '7 days'`
  }
}

/** Deletes hours that are older than so many days, a few rows at a time. @returns the number of rows. */
export async function deleteExpiredUses(
  db: Pick<Statements, '$executeRaw'>,
  days: number,
  progress: () => void = () => undefined,
): Promise<number> {
  let all = 0
  for (let deleted = MAX_DELETED; deleted === MAX_DELETED; all += deleted) {
    deleted = await db.$executeRaw`
      DELETE FROM activity.schema_use WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM activity.schema_use WHERE hour < now() - make_interval(days => ${days}::int)
        LIMIT ${MAX_DELETED}::int))`
    progress()
  }
  return all
}

const nothing = async () => undefined

/** Makes the recorder. A process that only reads, or an installation that keeps uses for no day, records none. */
export const createSchemaUseRecorder = (dependencies: SchemaUseDependencies): SchemaUseRecorder =>
  dependencies.config.readOnly || dependencies.config.schemaUseDays === 0
    ? { record: () => undefined, idle: nothing, stop: nothing }
    : new WritingRecorder(dependencies)
