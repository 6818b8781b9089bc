/** The event log as a Relay connection, with the same cursors that subscriptions resume from. */
import { Prisma, type PrismaClient } from '../data/db.ts'
import {
  boundsOf,
  type Connection,
  type Keyset,
  orderAndLimit,
  type PageArgs,
  parsePageArgs,
  toConnection,
} from '../paging/keyset.ts'
import { checkPosition, fromEventCursor, toEventCursor } from './cursor.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from './event.ts'
import type { EventFilterInput } from './filter.ts'
import { readBounds } from './read.ts'

export interface EventArgs extends PageArgs {
  readonly filter?: EventFilterInput | null
}

/** A page with a total that is counted only when it is asked for. */
export interface EventConnection extends Connection<EventRow> {
  totalCount(): Promise<number>
}

/** The positions between which the page lies. */
const rangeOf = ({ after, before, newestFirst }: Keyset) => (newestFirst ? [before, after] : [after, before])

const POSITION = Prisma.raw('e.position')

const countEvents = async (db: PrismaClient, filter: EventFilter): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM events.event e WHERE ${eventConditions(filter)}`
  return Number(row!.count)
}

/** A page that begins where the log no longer reaches would look complete and not be. */
const checkLow = async (db: PrismaClient, keyset: Keyset) => {
  const [low] = rangeOf(keyset)
  if (low === undefined) return
  checkPosition(keyset.newestFirst ? 'before' : 'after', low, await readBounds(db))
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
  const keyset = parsePageArgs(args, fromEventCursor)
  await checkLow(db, keyset)
  const events = await db.$queryRaw<EventRow[]>`
    SELECT ${EVENT_COLUMNS} FROM events.event e
    WHERE ${eventConditions(filter)} AND ${boundsOf(keyset, POSITION)} ${orderAndLimit(keyset, POSITION)}`
  const connection = toConnection(keyset, events, event => toEventCursor(event.position))
  return { ...connection, totalCount: () => countEvents(db, filter) }
}
