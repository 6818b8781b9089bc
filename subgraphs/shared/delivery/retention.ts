/** Events are kept for `EVENT_RETENTION_DAYS`, then deleted from the oldest on, a few at a time. */
import type { App } from '../app.ts'
import type { PrismaClient } from '../data/db.ts'

const HOUR_MS = 3_600_000
const BATCH = 5_000

/** Deletes a stretch from the log's old end; several processes at once do no harm. */
const deleteBatch = (db: PrismaClient, days: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM events.event WHERE position IN (
      SELECT position FROM (SELECT position, event_time FROM events.event ORDER BY position LIMIT ${BATCH}) oldest
      WHERE event_time < now() - make_interval(days => ${days}))`

/** Deletes what is older than `days` days; returns how many events there were. */
export async function deleteExpired(db: PrismaClient, days: number): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await deleteBatch(db, days)
    total += deleted
    if (deleted < BATCH) return total
  }
}

/**
 * Deletes expired events every hour.
 * @returns a function that stops it.
 */
export function startRetention({ db, config, log }: App): () => Promise<void> {
  let running: Promise<void> | undefined
  const round = async () => {
    const deleted = await deleteExpired(db, config.eventRetentionDays).catch(error =>
      log.warn({ err: error }, 'expired events could not be deleted; tried again in an hour'),
    )
    if (deleted) log.info({ deleted }, 'expired events are deleted')
  }
  const timer = setInterval(() => {
    running = round()
  }, HOUR_MS).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
