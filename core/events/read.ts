/**
 * Reads of the event log: by position, where a page is complete up to the position that it names; as a Relay
 * connection, with the cursors that subscriptions resume from; and the position of a time in it.
 */

import { Prisma, type Statements } from '../data/db.ts'
import { bookOf } from '../data/gapless-sequence.ts'
import { invalidField, ServiceError } from '../errors/catalogue.ts'
import {
  type CountedConnection,
  createNumberCursors,
  type Keyset,
  type PageArgs,
  parsePageArgs,
} from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { EVENT_SEQUENCE } from './append.ts'
import {
  EVENT_COLUMNS,
  type EventFilter,
  type EventFilterInput,
  type EventRow,
  eventConditions,
} from './event.ts'
import { isStandby, untilReached } from './reached.ts'

/** Largest position of a cursor, a number of 18 digits: far beyond any. */
const MOST = 10n ** 18n - 1n

/** Functions from positions to cursors and back. */
export const { to: toEventCursor, from: fromEventCursor } = createNumberCursors(
  'e1:',
  MOST,
  'must be the cursor of an event, unchanged',
)

/** The bounds of the log, which holds every position after `start`, up to `head`. */
export interface LogBounds {
  readonly start: bigint
  readonly head: bigint
}

/**
 * Checks that everything after a position is still there.
 * @throws ServiceError INVALID_ARGUMENT for a cursor whose successors are deleted, or that is not of this log.
 */
export function checkPosition(name: string, position: bigint, { start, head }: LogBounds): void {
  if (position > head)
    throw invalidField(name, 'BAD_CURSOR', 'must be the cursor of an event of this system, unchanged')
  if (position >= start) return
  throw invalidField(
    name,
    'EXPIRED_CURSOR',
    'has expired: later events are no longer kept; begin anew from the query events',
  )
}

/**
 * Makes the error of a stream that has to end: 503, with the cursor to resume after in its message and in
 * `extensions.cursor`.
 */
export const resumeAfterCursor = (reason: string, cursor: string, cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `${reason}; resume after ${cursor}`, {
    extensions: { cursor },
    cause,
  })

/** Makes that error for a position in the event log. */
export const resumeAfter = (reason: string, position: bigint, cause?: unknown): ServiceError =>
  resumeAfterCursor(reason, toEventCursor(position), cause)

/** Page of every matching event after the requested position, up to and including `until`. */
export interface EventPage {
  readonly events: EventRow[]
  readonly until: bigint
  readonly bounds: LogBounds
}

/** Most positions that one statement looks at, however rarely a filter matches. */
const MAX_SPAN = 50_000n

/**
 * Bounds of the log, read in the statement of the events: one statement is one snapshot, so an event counted in `head`
 * is one that it can see.
 */
const BOUNDS = Prisma.sql`
  SELECT book.position AS head, coalesce((SELECT min(position) - 1 FROM events.event), book.position) AS start
  FROM ${bookOf(EVENT_SEQUENCE)} WHERE name = ${EVENT_SEQUENCE.table} AND client_id = ''`

/** Reads the bounds of the log. */
export async function readBounds(db: Statements): Promise<LogBounds> {
  const [bounds] = await db.$queryRaw<LogBounds[]>`${BOUNDS}`
  if (!bounds) throw new Error('The event log is missing: ensureSequence was not called')
  return bounds
}

/** Makes the error of a standby that has not come as far as a cursor: the same may be asked again, here or elsewhere. */
export const notReached = (position: bigint): ServiceError =>
  resumeAfter('This replica of the event log has not come so far', position)

/**
 * Reads the bounds of a log that holds everything after a position; a standby is waited for.
 * @throws ServiceError INVALID_ARGUMENT when the log does not, SERVICE_UNAVAILABLE when a standby stays behind.
 */
export async function readBoundsAfter(db: Statements, name: string, position: bigint): Promise<LogBounds> {
  let bounds = await readBounds(db)
  if (position > bounds.head && (await isStandby(db))) {
    const readHead = async () => {
      bounds = await readBounds(db)
      return bounds.head
    }
    if (!(await untilReached(position, readHead))) throw notReached(position)
  }
  checkPosition(name, position, bounds)
  return bounds
}

type PageRow = LogBounds & (EventRow | { [name in keyof EventRow]: null })

const reachOf = (after: bigint, limit: number, { head }: LogBounds, events: EventRow[]): bigint => {
  if (events.length === limit) return events.at(-1)!.position
  const end = after + MAX_SPAN
  return end < head ? end : head
}

const readPageAfter = async (
  db: Statements,
  after: bigint,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> => {
  const rows = await db.$queryRaw<PageRow[]>`
    WITH bounds AS MATERIALIZED (${BOUNDS})
    SELECT bounds.head, bounds.start, page.* FROM bounds LEFT JOIN LATERAL (
      SELECT ${EVENT_COLUMNS} FROM events.event e
      WHERE e.position > ${after} AND e.position <= ${after + MAX_SPAN} AND ${eventConditions(filter)}
      ORDER BY e.position LIMIT ${limit}) page ON TRUE`
  const bounds: LogBounds = { head: rows[0]!.head, start: rows[0]!.start }
  const events = rows.filter(row => row.position !== null) as (LogBounds & EventRow)[]
  return { events, until: reachOf(after, limit, bounds, events), bounds }
}

/**
 * Reads at most `limit` events after a position, in commit order.
 * @throws ServiceError INVALID_ARGUMENT when the log does not hold everything after the position, SERVICE_UNAVAILABLE when a
 *   standby stays behind it.
 */
export async function readEvents(
  db: Statements,
  after: bigint,
  filter: EventFilter,
  limit: number,
): Promise<EventPage> {
  let page = await readPageAfter(db, after, filter, limit)
  if (after > page.bounds.head) {
    await readBoundsAfter(db, 'after', after)
    page = await readPageAfter(db, after, filter, limit)
    // Each statement may go to another standby.
    if (after > page.bounds.head) throw notReached(after)
  }
  checkPosition('after', after, page.bounds)
  return page
}

export interface EventArgs extends PageArgs {
  readonly filter?: EventFilterInput | null
}

/** A page of events with its total. */
export type EventConnection = CountedConnection<EventRow>

/** The positions between which the page lies. */
const rangeOf = ({ after, before, descending }: Keyset) => (descending ? [before, after] : [after, before])

const POSITION = Prisma.raw('e.position')

/** Refuses a page that begins before the log does: it would look complete and not be. */
const checkLow = async (db: Statements, keyset: Keyset) => {
  const [low] = rangeOf(keyset)
  if (low === undefined) return
  await readBoundsAfter(db, keyset.descending ? 'before' : 'after', low)
}

/**
 * Reads one page, and one event more, which shows that there is a further page.
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, and cursors that are expired or foreign.
 */
export async function readEventConnection(
  db: Statements,
  filter: EventFilter,
  args: EventArgs,
): Promise<EventConnection> {
  const keyset = parsePageArgs(args, fromEventCursor)
  await checkLow(db, keyset)
  return readKeysetPage<EventRow>(db, {
    columns: EVENT_COLUMNS,
    from: Prisma.sql`events.event e`,
    where: eventConditions(filter),
    keyset,
    number: POSITION,
    cursorOf: event => toEventCursor(event.position),
  })
}

/** The longest time between an event and its commit, with a margin. */
const LATE_MS = 60_000

/**
 * Finds the position of a time in the log by halving, since the log is in the order of its commits: the position before
 * which there is no event of this time or later, as a scalar subquery. It may be a little too early, so a condition on
 * the time itself is needed beside it.
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
