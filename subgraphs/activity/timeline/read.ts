/** Pages of the timeline: an index range scan in either direction, whichever page it is. */
import { Prisma, type PrismaClient } from '../../shared/data/db.ts'
import { createCursors } from '../../shared/paging/cursor.ts'
import {
  boundsOf,
  type Connection,
  type CountedConnection,
  type Keyset,
  orderAndLimit,
  toConnection,
} from '../../shared/paging/keyset.ts'
import {
  countByOwner,
  countRows,
  type PageQuery,
  readKeysetPage,
  readKeysetPages,
} from '../../shared/paging/read-page.ts'
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

/** A page of the timeline with its total. */
export type TimelinePage = CountedConnection<TimelineRow>

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

const ENTRIES = { from: Prisma.sql`activity.entry e` }

const pageOf = ({ clientId, filter, keyset }: TimelineQuery): PageQuery<TimelineRow> => ({
  columns: COLUMNS,
  ...ENTRIES,
  where: conditionsOf(clientId, filter),
  keyset,
  number: SORT,
  cursorOf: row => timelineCursors.to(row.sort),
})

/** The page of each owner, in the owners' order, by one statement. */
export const readTimelines = (
  db: PrismaClient,
  query: TimelineQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<Connection<TimelineRow>[]> => readKeysetPages(db, pageOf(query), columnOf('e', column), owners)

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

/** `totalCount` of each owner, in the owners' order, by one statement; from the sums where they know it. */
export const countTimelines = (
  db: PrismaClient,
  { clientId, filter }: TimelineQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<number[]> => {
  const owner = columnOf('e', column)
  const sums = sumConditionsOf(clientId, filter)
  if (!sums) return countByOwner(db, { ...ENTRIES, where: conditionsOf(clientId, filter) }, owner, owners)
  const from = Prisma.sql`activity.holder_day e`
  return countByOwner(db, { from, where: sums }, owner, owners, Prisma.sql`sum(e.entries)::bigint`)
}

/** `totalCount` over everything that may be seen. */
const countTimeline = async (db: PrismaClient, { clientId, filter }: TimelineQuery): Promise<number> => {
  const sums = sumConditionsOf(clientId, filter)
  if (!sums) return countRows(db, { ...ENTRIES, where: conditionsOf(clientId, filter) })
  const [row] = await db.$queryRaw<{ count: bigint | null }[]>`
    SELECT sum(e.entries)::bigint AS count FROM activity.total_day e WHERE ${sums}`
  return Number(row?.count ?? 0)
}

/** The page over everything that may be seen. */
export async function readTimeline(db: PrismaClient, query: TimelineQuery): Promise<TimelinePage> {
  const page = pageOf(query)
  const totalCount = () => countTimeline(db, query)
  if (!searchesWords(query.filter)) return readKeysetPage(db, page, totalCount)
  return { ...toConnection(query.keyset, await searchRows(db, query), page.cursorOf), totalCount }
}
