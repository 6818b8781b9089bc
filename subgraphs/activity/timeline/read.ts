/** Pages of the timeline: an index range scan in either direction, whichever page it is. */
import { Prisma, type PrismaClient } from '../../shared/data/db.ts'
import { createCursors } from '../../shared/paging/cursor.ts'
import {
  boundsOf,
  type Connection,
  type Keyset,
  orderAndLimit,
  toConnection,
} from '../../shared/paging/keyset.ts'
import type { Outcome } from '../../shared/transactions/kind.ts'
import { columnOf, type OwnerColumn } from '../owners.ts'
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
  readonly keyset: Keyset
}

export const timelineCursors = createCursors('t1:')

const COLUMNS = Prisma.raw(`e.id, e.sort, e.kind, e.account_number AS "accountNumber",
  e.mobile_number AS "mobileNumber", e.occurred_at AS "occurredAt", e.outcome, e.currency, e.amount, e.points, e.text`)

const SORT = Prisma.raw('e.sort')

const toPage = (keyset: Keyset, rows: readonly TimelineRow[]) =>
  toConnection(keyset, rows, row => timelineCursors.to(row.sort))

/** The page of each owner, in the owners' order, by one statement. */
export async function readTimelines(
  db: PrismaClient,
  { clientId, filter, keyset }: TimelineQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<Connection<TimelineRow>[]> {
  const rows = await db.$queryRaw<(TimelineRow & { holder: string })[]>`
    SELECT asked.holder, page.* FROM unnest(${owners}::text[]) AS asked (holder) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM activity.entry e
      WHERE ${columnOf('e', column)} = asked.holder AND ${conditionsOf(clientId, filter)}
        AND ${boundsOf(keyset, SORT)} ${orderAndLimit(keyset, SORT)}) page`
  const ofOwner = Map.groupBy(rows, row => row.holder)
  return owners.map(holder => toPage(keyset, ofOwner.get(holder) ?? []))
}

const readRows = (db: PrismaClient, { clientId, filter, keyset }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    SELECT ${COLUMNS} FROM activity.entry e
    WHERE ${conditionsOf(clientId, filter)} AND ${boundsOf(keyset, SORT)} ${orderAndLimit(keyset, SORT)}`

/** How many entries are looked through for words before their index is asked. */
const NEAR = 10_000

/** The page, if what is near its start fills it. */
const readNear = (db: PrismaClient, { clientId, filter, keyset }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    WITH near AS MATERIALIZED (SELECT * FROM activity.entry e
      WHERE ${conditionsOf(clientId, { ...filter, text: null })} AND ${boundsOf(keyset, SORT)}
      ${orderAndLimit({ ...keyset, size: NEAR }, SORT)})
    SELECT ${COLUMNS} FROM near e WHERE ${conditionsOf(undefined, { text: filter.text })} ${orderAndLimit(keyset, SORT)}`

/** The page, from all that have the words. */
const readFound = (db: PrismaClient, { clientId, filter, keyset }: TimelineQuery) =>
  db.$queryRaw<TimelineRow[]>`
    WITH found AS MATERIALIZED (SELECT * FROM activity.entry e
      WHERE ${conditionsOf(clientId, filter)} AND ${boundsOf(keyset, SORT)})
    SELECT ${COLUMNS} FROM found e ${orderAndLimit(keyset, SORT)}`

/**
 * Looking for words, the database cannot know whether to go through the entries (words that are everywhere) or
 * through the index of words (words that are rare): a look at the nearest entries tells.
 */
const searchRows = async (db: PrismaClient, query: TimelineQuery) => {
  const near = await readNear(db, query)
  return near.length > query.keyset.size ? near : readFound(db, query)
}

/** The page over everything that may be seen. */
export async function readTimeline(db: PrismaClient, query: TimelineQuery): Promise<Connection<TimelineRow>> {
  const rows = await (searchesWords(query.filter) ? searchRows(db, query) : readRows(db, query))
  return toPage(query.keyset, rows)
}

/** `totalCount` of each owner, in the owners' order, by one statement; from the sums where they know it. */
export async function countTimelines(
  db: PrismaClient,
  { clientId, filter }: TimelineQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<number[]> {
  const sums = sumConditionsOf(clientId, filter)
  const holder = columnOf('e', column)
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT ${holder} AS holder, ${sums ? Prisma.sql`sum(e.entries)::bigint` : Prisma.sql`count(*)`} AS count
    FROM ${Prisma.raw(sums ? 'activity.holder_day' : 'activity.entry')} e
    WHERE ${holder} = ANY (${owners}::text[]) AND ${sums ?? conditionsOf(clientId, filter)} GROUP BY 1`
  const ofOwner = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return owners.map(one => ofOwner.get(one) ?? 0)
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
