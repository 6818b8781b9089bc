/** The event log as a Relay connection, with the same cursors that subscriptions resume from. */
import { Prisma, type PrismaClient } from '../data/db.ts'
import {
  boundsOf,
  type Connection,
  orderAndLimit,
  type Slice,
  type SliceArgs,
  sliceOf,
  toConnection,
} from '../transactions/slice.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from './event.ts'
import { checkPosition, fromEventCursor, toEventCursor } from './event-cursor.ts'
import type { EventFilterInput } from './event-query.ts'
import { readBounds } from './read-events.ts'

export interface EventArgs extends SliceArgs {
  readonly filter?: EventFilterInput | null
}

/** A page with a total that is counted only when it is asked for. */
export interface EventConnection extends Connection<EventRow> {
  totalCount(): Promise<number>
}

/** The positions between which the slice lies. */
const rangeOf = ({ after, before, newestFirst }: Slice) => (newestFirst ? [before, after] : [after, before])

const POSITION = Prisma.raw('e.position')

const countEvents = async (db: PrismaClient, filter: EventFilter): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM events.event e WHERE ${eventConditions(filter)}`
  return Number(row!.count)
}

/** A page that begins where the log no longer reaches would look complete and not be. */
const checkLow = async (db: PrismaClient, slice: Slice) => {
  const [low] = rangeOf(slice)
  if (low === undefined) return
  checkPosition(slice.newestFirst ? 'before' : 'after', low, await readBounds(db))
}

/**
 * Reads one page; one event more than asked for says that there is a further page.
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, and cursors that are expired or foreign.
 */
export async function readEventConnection(
  db: PrismaClient,
  filter: EventFilter,
  args: EventArgs,
): Promise<EventConnection> {
  const slice = sliceOf(args, fromEventCursor)
  await checkLow(db, slice)
  const events = await db.$queryRaw<EventRow[]>`
    SELECT ${EVENT_COLUMNS} FROM events.event e
    WHERE ${eventConditions(filter)} AND ${boundsOf(slice, POSITION)} ${orderAndLimit(slice, POSITION)}`
  const connection = toConnection(slice, events, event => toEventCursor(event.position))
  return { ...connection, totalCount: () => countEvents(db, filter) }
}
