/**
 * Retention: events and their webhook deliveries are kept for `EVENT_RETENTION_DAYS`, then deleted from the oldest on,
 * a few at a time. The log has no holes: an event that is still to be sent keeps those after it.
 */

import type { Watchdog } from '../async/watchdog.ts'
import { createWorker, type Worker } from '../async/worker.ts'
import type { Config } from '../config/config.ts'
import { type Db, Prisma, type Statements } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'

const HOUR_MS = 3_600_000
const BATCH = 5_000

/**
 * Beginning of the log, before which no row is left. Rows that were deleted stay in the indexes until they are
 * vacuumed, and a search from the very beginning would step over all of them.
 */
export interface LogBeginning {
  after: bigint
}

/** A batch from the log's old end, with the mark of those that have expired. */
const oldest = (days: number, { after }: LogBeginning) => Prisma.sql`
  oldest AS MATERIALIZED (
    SELECT position, event_time < now() - make_interval(days => ${days}) AS expired
    FROM events.event WHERE position > ${after}::bigint ORDER BY position LIMIT ${BATCH})`

/** Locks deliveries: one can be sent again on request, and its event must not be deleted meanwhile. */
const holdDeliveries = (tx: Statements, days: number, beginning: LogBeginning) => tx.$executeRaw`
  WITH ${oldest(days, beginning)}
  SELECT 1 FROM events.delivery
  WHERE position > ${beginning.after}::bigint AND position <= (SELECT max(position) FROM oldest WHERE expired) FOR UPDATE`

/** First position that must stay; the next after all if none must. */
const KEPT = Prisma.sql`
  kept AS MATERIALIZED (
    SELECT coalesce(
      min(o.position) FILTER (WHERE NOT o.expired OR d.status = 'PENDING'), max(o.position) + 1) AS position
    FROM oldest o LEFT JOIN events.delivery d ON d.position = o.position)`

interface Deleted {
  readonly events: bigint
  /** First position that must stay; null when the log is empty. */
  readonly kept: bigint | null
}

const deleteOldest = async (tx: Statements, days: number, beginning: LogBeginning): Promise<Deleted> => {
  const { after } = beginning
  const [deleted] = await tx.$queryRaw<Deleted[]>`
    WITH ${oldest(days, beginning)}, ${KEPT}, sent AS (
      DELETE FROM events.delivery d USING kept WHERE d.position > ${after}::bigint AND d.position < kept.position),
    gone AS (
      DELETE FROM events.event e USING kept
      WHERE e.position > ${after}::bigint AND e.position < kept.position RETURNING 1)
    SELECT kept.position AS kept, (SELECT count(*) FROM gone) AS events FROM kept`
  return deleted!
}

/** Time after which a batch stands still, in milliseconds: longer than any takes. */
const STANDSTILL_MS = 90_000
const TRANSACTION = { timeout: 60_000, plans: 'anew' } as const

/** Lock under which processes take turns, so that a process deletes the rows that it has locked. */
const takeTurn = (tx: Statements) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('partner-graph retention'))`

const deleteBatch = (db: Db, days: number, beginning: LogBeginning): Promise<Deleted> =>
  db.$transaction(async tx => {
    await takeTurn(tx)
    await holdDeliveries(tx, days, beginning)
    return deleteOldest(tx, days, beginning)
  }, TRANSACTION)

/**
 * Deletes events older than `days` days, with their deliveries; returns the number of events.
 * @param beginning where the log is known to begin; it is moved on.
 * @param progress called after each batch.
 */
export async function deleteExpired(
  db: Db,
  days: number,
  beginning: LogBeginning = { after: 0n },
  progress: () => void = () => undefined,
): Promise<number> {
  let total = 0
  for (;;) {
    const { events, kept } = await deleteBatch(db, days, beginning)
    progress()
    total += Number(events)
    if (kept !== null) beginning.after = kept - 1n
    if (events < BATCH) return total
  }
}

export interface RetentionDependencies {
  readonly config: Pick<Config, 'eventRetentionDays'>
  readonly log: Logger
  readonly db: Db
  readonly watchdog: Watchdog
}

/** Deletes expired events every hour until stopped. */
export const startRetention = ({ db, config, log, watchdog }: RetentionDependencies): Worker => {
  const beginning: LogBeginning = { after: 0n }
  return createWorker({
    rounds: watchdog.over('event retention', STANDSTILL_MS),
    async run(_, progress) {
      const deleted = await deleteExpired(db, config.eventRetentionDays, beginning, progress)
      if (deleted > 0) log.info({ deleted }, 'expired events are deleted')
    },
    sweepMs: HOUR_MS,
    onError: error => log.warn({ err: error }, 'expired events could not be deleted; tried again in an hour'),
  })
}
