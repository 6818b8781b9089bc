/** Reads the event log by position: a page is complete up to where it says it reaches. */
import { Prisma, type Reader } from '../data/db.ts'
import { EVENT_SEQUENCE } from './append.ts'
import { checkPosition, type LogBounds } from './cursor.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from './event.ts'

/** Every matching event after where it was asked for, up to and including `until`. */
export interface EventPage {
  readonly events: EventRow[]
  readonly until: bigint
  readonly bounds: LogBounds
}

/** However rarely a filter matches, one statement looks at no more positions than this. */
const MAX_SPAN = 50_000n

/** One statement is one snapshot: an event counted in `head` is one that it can see. */
const BOUNDS = Prisma.sql`
  SELECT book.position AS head, coalesce((SELECT min(position) - 1 FROM events.event), book.position) AS start
  FROM books.book WHERE name = ${EVENT_SEQUENCE} AND client_id = ''`

/** What the log holds. */
export async function readBounds(db: Reader): Promise<LogBounds> {
  const [bounds] = await db.$queryRaw<LogBounds[]>`${BOUNDS}`
  if (!bounds) throw new Error('The event log is missing: ensureSequence was not called')
  return bounds
}

type PageRow = LogBounds & (EventRow | { [name in keyof EventRow]: null })

const reachOf = (after: bigint, limit: number, { head }: LogBounds, events: EventRow[]): bigint => {
  if (events.length === limit) return events.at(-1)!.position
  const end = after + MAX_SPAN
  return end < head ? end : head
}

/**
 * Reads at most `limit` events after a position, in commit order.
 * @throws ServiceError INVALID_ARGUMENT when the log does not hold everything after the position.
 */
export async function readEvents(
  db: Reader,
  after: bigint,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> {
  const rows = await db.$queryRaw<PageRow[]>`
    WITH bounds AS MATERIALIZED (${BOUNDS})
    SELECT bounds.head, bounds.start, page.* FROM bounds LEFT JOIN LATERAL (
      SELECT ${EVENT_COLUMNS} FROM events.event e
      WHERE e.position > ${after} AND e.position <= ${after + MAX_SPAN} AND ${eventConditions(filter)}
      ORDER BY e.position LIMIT ${limit}) page ON TRUE`
  const bounds: LogBounds = { head: rows[0]!.head, start: rows[0]!.start }
  checkPosition('after', after, bounds)
  const events = rows.filter(row => row.position !== null) as (LogBounds & EventRow)[]
  return { events, until: reachOf(after, limit, bounds, events), bounds }
}
