/**
 * Events and their webhook deliveries are kept for `EVENT_RETENTION_DAYS`, then deleted from the oldest on, a few at a
 * time. The log has no holes: an event that is still to be sent keeps those after it.
 */

import { createWorker, type Worker } from '../async/worker.ts'
import { Prisma, type PrismaClient, type Transaction } from '../data/db.ts'
import type { EventParts } from './parts.ts'

const HOUR_MS = 3_600_000
const BATCH = 5_000

/** A batch from the log's old end, and which of it has expired. */
const oldest = (days: number) => Prisma.sql`
  oldest AS MATERIALIZED (
    SELECT position, event_time < now() - make_interval(days => ${days}) AS expired
    FROM events.event ORDER BY position LIMIT ${BATCH})`

/** A delivery can be sent again on request: its row is held, so that this and deleting its event do not cross. */
const holdDeliveries = (tx: Transaction, days: number) => tx.$executeRaw`
  WITH ${oldest(days)}
  SELECT 1 FROM events.delivery
  WHERE position <= (SELECT max(position) FROM oldest WHERE expired) FOR UPDATE`

/** The first that must stay, the next after all if none must. */
const KEPT = Prisma.sql`
  kept AS MATERIALIZED (
    SELECT coalesce(
      min(o.position) FILTER (WHERE NOT o.expired OR d.status = 'PENDING'), max(o.position) + 1) AS position
    FROM oldest o LEFT JOIN events.delivery d ON d.position = o.position)`

const deleteOldest = (tx: Transaction, days: number): Promise<number> => tx.$executeRaw`
  WITH ${oldest(days)}, ${KEPT}, sent AS (
    DELETE FROM events.delivery d USING kept WHERE d.position < kept.position)
  DELETE FROM events.event e USING kept WHERE e.position < kept.position`

const TRANSACTION = { maxWait: 10_000, timeout: 60_000 }

/** Processes take turns, so that what one holds is what it deletes. */
const takeTurn = (tx: Transaction) =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('partner-graph retention'))`

const deleteBatch = (db: PrismaClient, days: number): Promise<number> =>
  db.$transaction(async tx => {
    await takeTurn(tx)
    await holdDeliveries(tx, days)
    return deleteOldest(tx, days)
  }, TRANSACTION)

/** Deletes what is older than `days` days, with its deliveries; returns how many events there were. */
export async function deleteExpired(db: PrismaClient, days: number): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await deleteBatch(db, days)
    total += deleted
    if (deleted < BATCH) return total
  }
}

/** Deletes expired events every hour until stopped. */
export const startRetention = ({ db, config, log }: EventParts): Worker =>
  createWorker({
    async run() {
      const deleted = await deleteExpired(db, config.eventRetentionDays)
      if (deleted > 0) log.info({ deleted }, 'expired events are deleted')
    },
    sweepMs: HOUR_MS,
    onError: error => log.warn({ err: error }, 'expired events could not be deleted; tried again in an hour'),
  })
