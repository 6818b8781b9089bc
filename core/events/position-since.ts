/** Where in the event log a time stands: found by halving, since the log is in the order of its commits. */
import { Prisma } from '../data/db.ts'

/** How much later than its time an event can be committed, with room to spare. */
const LATE_MS = 60_000

/**
 * The position before which there is no event of this time or later, as a scalar subquery; it may be a little too early,
 * so the time itself has to be asked for beside it.
 */
export const positionSince = (time: Date): Prisma.Sql => {
  const early = new Date(Math.max(0, time.getTime() - LATE_MS))
  return Prisma.sql`(
    WITH RECURSIVE search (low, high) AS (
      SELECT min(position), max(position) + 1 FROM events.event
      UNION ALL
      SELECT CASE WHEN middle.event_time < ${early}::timestamptz THEN middle.position + 1 ELSE search.low END,
        CASE WHEN middle.event_time < ${early}::timestamptz THEN search.high ELSE middle.position END
      FROM search CROSS JOIN LATERAL (
        SELECT e.position, e.event_time FROM events.event e
        WHERE e.position >= (search.low + search.high) / 2 ORDER BY e.position LIMIT 1) middle
      WHERE search.low < search.high)
    SELECT low FROM search WHERE low >= high)`
}
