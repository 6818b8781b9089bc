/** Pages of the timeline: a stretch of an index in either direction, whichever page it is. */
import { Prisma, type PrismaClient } from '../../shared/data/db.ts'
import { createCursors } from '../../shared/transactions/cursor.ts'
import type { Outcome } from '../../shared/transactions/kind.ts'
import {
  boundsOf,
  type Connection,
  orderAndLimit,
  type Slice,
  toConnection,
} from '../../shared/transactions/slice.ts'
import { columnOf, type HolderColumn } from '../holders.ts'
import { conditionsOf, searchesWords, sumConditionsOf, type TimelineFilter } from './filter.ts'

/** An entry as it stands in its table. */
export interface TimelineRow {
  readonly id: string
  readonly sort: bigint
  readonly kind: string
  readonly accountNumber: string | null
  readonly mobileNumber: string | null
  readonly occurredAt: Date
  readonly outcome: Outcome
  readonly currency: string | null
  readonly amount: Prisma.Decimal | null
  readonly points: Prisma.Decimal | null
  readonly text: string
}

/** A page with a total that is counted only when it is asked for. */
export interface TimelinePage extends Connection<TimelineRow> {
  totalCount(): Promise<number>
}

export interface TimelineQuery {
  /** The only client whose entries may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TimelineFilter
  readonly slice: Slice
}

export const timelineCursors = createCursors('t1:')

const COLUMNS = Prisma.raw(`e.id, e.sort, e.kind, e.account_number AS "accountNumber",
  e.mobile_number AS "mobileNumber", e.occurred_at AS "occurredAt", e.outcome, e.currency, e.amount, e.points, e.text`)

const SORT = Prisma.raw('e.sort')

const toPage = (slice: Slice, rows: readonly TimelineRow[]) =>
  toConnection(slice, rows, row => timelineCursors.to(row.sort))

/** The page of each holder, in the holders' sequence, by one statement. */
export async function readTimelines(
  db: PrismaClient,
  { clientId, filter, slice }: TimelineQuery,
  column: HolderColumn,
  holders: readonly string[],
): Promise<Connection<TimelineRow>[]> {
  const rows = await db.$queryRaw<(TimelineRow & { holder: string })[]>`
    SELECT asked.holder, page.* FROM unnest(${holders}::text[]) AS asked (holder) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM activity.entry e
      WHERE ${columnOf('e', column)} = asked.holder AND ${conditionsOf(clientId, filter)}
        AND ${boundsOf(slice, SORT)} ${orderAndLimit(slice, SORT)}) page`
  const byHolder = Map.groupBy(rows, row => row.holder)
  return holders.map(holder => toPage(slice, byHolder.get(holder) ?? []))
}

const readRows = (db: PrismaClient, { clientId, filter, slice }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    SELECT ${COLUMNS} FROM activity.entry e
    WHERE ${conditionsOf(clientId, filter)} AND ${boundsOf(slice, SORT)} ${orderAndLimit(slice, SORT)}`

/** How many entries are looked through for words before their index is asked. */
const NEAR = 10_000

/** The page, if what is near its start fills it. */
const readNear = (db: PrismaClient, { clientId, filter, slice }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    WITH near AS MATERIALIZED (SELECT * FROM activity.entry e
      WHERE ${conditionsOf(clientId, { ...filter, text: null })} AND ${boundsOf(slice, SORT)}
      ${orderAndLimit({ ...slice, size: NEAR }, SORT)})
    SELECT ${COLUMNS} FROM near e WHERE ${conditionsOf(undefined, { text: filter.text })} ${orderAndLimit(slice, SORT)}`

/** The page, from all that have the words. */
const readFound = (db: PrismaClient, { clientId, filter, slice }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    WITH found AS MATERIALIZED (SELECT * FROM activity.entry e
      WHERE ${conditionsOf(clientId, filter)} AND ${boundsOf(slice, SORT)})
    SELECT ${COLUMNS} FROM found e ${orderAndLimit(slice, SORT)}`

/**
 * Looking for words, the database cannot know whether to go through the entries (words that are everywhere) or
 * through the index of words (words that are rare): a look at the nearest entries tells.
 */
const searchRows = async (db: PrismaClient, query: TimelineQuery) => {
  const near = await readNear(db, query)
  return near.length > query.slice.size ? near : readFound(db, query)
}

/** The page over everything that may be seen. */
export async function readTimeline(db: PrismaClient, query: TimelineQuery): Promise<Connection<TimelineRow>> {
  const rows = await (searchesWords(query.filter) ? searchRows(db, query) : readRows(db, query))
  return toPage(query.slice, rows)
}

/** `totalCount` of each holder, in the holders' sequence, by one statement; from the sums where they know it. */
export async function countTimelines(
  db: PrismaClient,
  { clientId, filter }: TimelineQuery,
  column: HolderColumn,
  holders: readonly string[],
): Promise<number[]> {
  const sums = sumConditionsOf(clientId, filter)
  const holder = columnOf('e', column)
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT ${holder} AS holder, ${sums ? Prisma.sql`sum(e.entries)::bigint` : Prisma.sql`count(*)`} AS count
    FROM ${Prisma.raw(sums ? 'activity.holder_day' : 'activity.entry')} e
    WHERE ${holder} = ANY (${holders}::text[]) AND ${sums ?? conditionsOf(clientId, filter)} GROUP BY 1`
  const byHolder = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return holders.map(one => byHolder.get(one) ?? 0)
}

/** `totalCount` over everything that may be seen. */
export async function countTimeline(db: PrismaClient, { clientId, filter }: TimelineQuery): Promise<number> {
  const sums = sumConditionsOf(clientId, filter)
  const [row] = sums
    ? await db.$queryRaw<{ count: bigint | null }[]>`
        SELECT sum(e.entries)::bigint AS count FROM activity.total_day e WHERE ${sums}`
    : await db.$queryRaw<{ count: bigint | null }[]>`
        SELECT count(*) AS count FROM activity.entry e WHERE ${conditionsOf(clientId, filter)}`
  return Number(row?.count ?? 0)
}
