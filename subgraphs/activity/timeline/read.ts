/**
 * Pages of the timeline: an index range scan in either direction, at the same cost for every page.
 *
 * A filter may ask for rows in an order that no index has. The database cannot know then whether to go through the entries
 * in their order (frequent matches) or through an index of the matches (rare ones): a look at the nearest entries decides,
 * and neither way goes through a whole history.
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import {
  boundsOf,
  type Connection,
  type CountedConnection,
  directionOf,
  orderAndLimit,
} from '#core/paging/keyset.ts'
import { counted, toConnection } from '#core/paging/page.ts'
import {
  type OwnedPageQuery,
  type PageQuery,
  readKeysetPage,
  readKeysetPages,
} from '#core/paging/read-page.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { type EntryOwner, ownershipOf } from '../kinds.ts'
import { type SplitConditions, splitConditions, sumConditionsOf, timelineConditions } from './conditions.ts'
import { countTimeline } from './count.ts'
import { ENTRY_SETS, type SelectedEntry, SORT_KEYS_PER_MS, type TimelineRow, timelineOrder } from './entry.ts'
import type { TimelineFilter, TimelineQuery } from './filter.ts'

/** Nearest entries that are searched before an index is used: at least `NEAR`, and `NEAR_EACH` for each of the page. */
const NEAR = 10_000
const NEAR_EACH = 50

/** Client and filter of a search. */
type Searched = Pick<TimelineQuery, 'clientId' | 'filter'>

/** Row of a page with the number of entries searched for it; a single row without entry where there is none. */
type NearRow<Row> = (Row | { readonly id: null }) & { readonly seen: number }

const isEntry = <Row extends SelectedEntry>(row: NearRow<Row>): row is Row & { readonly seen: number } =>
  row.id !== null

/**
 * Reads the matches among the nearest entries, in their order, until the page is full; `whole` where they are all that the
 * page can hold.
 */
const readNear = async <Row extends SelectedEntry>(
  db: Statements,
  { columns, keyset, number }: PageQuery<Row>,
  { indexed, rest }: SplitConditions,
  size: number,
) => {
  const rows = await db.$queryRaw<NearRow<Row>[]>`
    WITH near AS MATERIALIZED (
      SELECT e.*, row_number() OVER (ORDER BY ${number} ${directionOf(keyset)}) AS nth FROM activity.entry e
      WHERE ${indexed} AND ${boundsOf(keyset, number)} ${orderAndLimit({ ...keyset, size }, number)}),
    page AS MATERIALIZED (SELECT ${columns}, e.nth FROM near e WHERE ${rest} LIMIT ${keyset.size + 1})
    SELECT page.*, counted.seen FROM (SELECT CASE WHEN (SELECT count(*) FROM page) > ${keyset.size} THEN 0
      ELSE (SELECT count(*) FROM near) END::int AS seen) counted
    LEFT JOIN page ON TRUE ORDER BY page.nth`
  const found = rows.filter(isEntry)
  return { found, whole: found.length > keyset.size || rows[0]!.seen <= size }
}

const startOfDay = (
  day: Prisma.Sql,
) => Prisma.sql`(extract(epoch FROM (${day})::timestamp AT TIME ZONE p.timezone) * 1000)::bigint
  * ${SORT_KEYS_PER_MS}::bigint`

/** Entries of the days on which the sums count any; the sums are of all clients, or of one. */
const entriesOfDays = (sums: Prisma.Sql) => Prisma.sql`
  (SELECT found.* FROM (SELECT DISTINCT e.day FROM activity.total_day e WHERE ${sums}) d
    JOIN activity.progress p ON p.name = 'event'
    JOIN LATERAL (SELECT * FROM activity.entry e WHERE e.sort >= ${startOfDay(Prisma.sql`d.day`)}
      AND e.sort < ${startOfDay(Prisma.sql`d.day + 1`)}) found ON TRUE) e`

/** Pending entries, which have no index, since they come and go: they are few, and of few days. */
const isMostlyPending = ({ outcomes }: TimelineFilter): boolean => {
  const sought: readonly Outcome[] = outcomes ?? []
  return sought.includes('PENDING') && !sought.includes('COMPLETED')
}

/** Whether anything ended for one of the reasons that is pending or was carried out: only what was not has an index of reasons. */
const haveUsual = async (db: Statements, { clientId, filter }: Searched): Promise<boolean> => {
  const { reasons, kinds, postedBy } = filter
  const rows = await db.$queryRaw<object[]>`
    SELECT 1 FROM activity.total_day e WHERE ${sumConditionsOf(clientId, { reasons, kinds, postedBy })!}
      AND e.outcome IN ('PENDING', 'COMPLETED') LIMIT 1`
  return rows.length > 0
}

/** Entries to search, with a condition that leads to the index of those with an unusual outcome. */
const searchedBy = async (db: Statements, page: PageQuery<never>, { clientId, filter }: Searched) => {
  const { kinds, outcomes, postedBy, reasons } = filter
  const whole = { from: page.from, hint: Prisma.sql`TRUE` }
  if (reasons && !(await haveUsual(db, { clientId, filter })))
    return { ...whole, hint: Prisma.sql`e.exception IS NOT NULL` }
  if (!reasons && !isMostlyPending(filter)) return whole
  return { ...whole, from: entriesOfDays(sumConditionsOf(clientId, { kinds, outcomes, postedBy, reasons })!) }
}

/** Reads the page from all matching entries. */
const readFound = async <Row extends SelectedEntry>(
  db: Statements,
  page: PageQuery<Row>,
  query: Searched,
): Promise<Row[]> => {
  const { columns, where, keyset, number } = page
  const { from, hint } = await searchedBy(db, page, query)
  return db.$queryRaw<Row[]>`
    WITH found AS MATERIALIZED (SELECT e.* FROM ${from}
      WHERE ${where} AND ${hint} AND ${boundsOf(keyset, number)})
    SELECT ${columns} FROM found e ${orderAndLimit(keyset, number)}`
}

/** Search for a page of a timeline. */
interface Search {
  readonly query: Searched
  readonly split: SplitConditions
  /** Least number of nearest entries to search; 0 for none. */
  readonly near: number
}

/** Reads the rows of a page, and one more where the page is not the last. */
async function searchRows<Row extends SelectedEntry>(
  db: Statements,
  page: PageQuery<Row>,
  { query, split, near }: Search,
): Promise<Row[]> {
  // A correlator belongs to the transactions of one request, so that the nearest entries decide nothing.
  if (query.filter.correlator != null) return readFound(db, page, query)
  const size = near && Math.max(near, page.keyset.size * NEAR_EACH)
  const { found, whole } = await readNear(db, page, split, size)
  return whole ? found : readFound(db, page, query)
}

/** Page of the timeline with its total. */
export type TimelinePage<Row extends SelectedEntry = SelectedEntry> = CountedConnection<Row>

const pageOf = <Row extends SelectedEntry>(
  { byAmount, keyset, columns: { columns } = ENTRY_SETS.all }: TimelineQuery<Row>,
  where: Prisma.Sql,
): OwnedPageQuery<Row> => {
  const { number, numberRead, numberOf, cursors } = timelineOrder(byAmount)
  const from = Prisma.sql`activity.entry e`
  return { columns, from, where, keyset, number, numberRead, cursorOf: row => cursors.to(numberOf(row)) }
}

/** Reads the page of each owner, in the owners' order, by one statement. */
export const readTimelines = <Row extends SelectedEntry = TimelineRow>(
  db: Statements,
  query: TimelineQuery<Row>,
  by: EntryOwner,
  owners: readonly string[],
): Promise<Connection<Row>[]> => {
  const page = pageOf(query, timelineConditions(query.clientId, query.filter))
  return readKeysetPages(db, page, ownershipOf('e', by), owners)
}

/**
 * Reads the page over everything that may be seen.
 * @param near least number of nearest entries to search where no index has the order.
 */
export async function readTimeline<Row extends SelectedEntry = TimelineRow>(
  db: Statements,
  query: TimelineQuery<Row>,
  near = NEAR,
): Promise<TimelinePage<Row>> {
  const { clientId, filter, byAmount, keyset } = query
  const page = pageOf(query, timelineConditions(clientId, filter))
  const totalCount = () => countTimeline(db, query)
  const split = splitConditions(clientId, filter, byAmount)
  if (!split.rest) return readKeysetPage(db, page, totalCount)
  const rows = await searchRows(db, page, { query, split, near })
  return counted(toConnection(keyset, rows, page.cursorOf), totalCount)
}
