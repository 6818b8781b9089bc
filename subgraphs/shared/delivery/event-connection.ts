/** The event log as a Relay connection, with the same cursors that subscriptions resume from. */
import { Prisma, type PrismaClient } from '../data/db.ts'
import { type Connection, type ConnectionArgs, type Slice, sliceOf } from '../transactions/connection.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from './event.ts'
import { checkPosition, fromEventCursor, toEventCursor } from './event-cursor.ts'
import type { EventFilterInput } from './event-query.ts'
import { readBounds } from './read-events.ts'

export interface EventArgs extends Omit<ConnectionArgs, 'filter'> {
  readonly filter?: EventFilterInput | null
}

/** A page with a total that is counted only when it is asked for. */
export interface EventConnection extends Connection<EventRow> {
  totalCount(): Promise<number>
}

const eventSlice = ({ after, before, ...sizes }: EventArgs): Slice => ({
  ...sliceOf({ ...sizes, filter: undefined }),
  after: after == null ? undefined : fromEventCursor('after', after),
  before: before == null ? undefined : fromEventCursor('before', before),
})

/** The positions between which the slice lies. */
const rangeOf = ({ after, before, newestFirst }: Slice) => (newestFirst ? [before, after] : [after, before])

const rangeConditions = (slice: Slice): Prisma.Sql => {
  const [low, high] = rangeOf(slice)
  const conditions = [Prisma.sql`TRUE`]
  if (low !== undefined) conditions.push(Prisma.sql`e.position > ${low}`)
  if (high !== undefined) conditions.push(Prisma.sql`e.position < ${high}`)
  return Prisma.join(conditions, ' AND ')
}

const toConnection = (slice: Slice, read: EventRow[]): Connection<EventRow> => {
  const more = read.length > slice.size
  const nodes = read.slice(0, slice.size)
  if (slice.backward) nodes.reverse()
  const edges = nodes.map(node => ({ cursor: toEventCursor(node.position), node }))
  const pageInfo = {
    hasNextPage: slice.backward ? slice.before !== undefined : more,
    hasPreviousPage: slice.backward ? more : slice.after !== undefined,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  }
  return { edges, nodes, pageInfo }
}

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
  const slice = eventSlice(args)
  await checkLow(db, slice)
  const direction = Prisma.raw(slice.newestFirst === slice.backward ? 'ASC' : 'DESC')
  const events = await db.$queryRaw<EventRow[]>`
    SELECT ${EVENT_COLUMNS} FROM events.event e
    WHERE ${eventConditions(filter)} AND ${rangeConditions(slice)}
    ORDER BY e.position ${direction} LIMIT ${slice.size + 1}`
  return { ...toConnection(slice, events), totalCount: () => countEvents(db, filter) }
}
