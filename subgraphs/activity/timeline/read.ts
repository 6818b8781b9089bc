/**
 * Pages and totals of the timeline: an index range scan in either direction, at the same cost for every page.
 *
 * A filter may ask for rows in an order that no index has. The database cannot know then whether to go through the entries
 * in their order (frequent matches) or through an index of the matches (rare ones): a look at the nearest entries decides,
 * and neither way goes through a whole history.
 */
import { Prisma, type Reader } from '#core/data/db.ts'
import {
  boundsOf,
  type Connection,
  type CountedConnection,
  directionOf,
  orderAndLimit,
  toConnection,
} from '#core/paging/keyset.ts'
import {
  countByOwner,
  countRows,
  type OwnedPageQuery,
  type PageQuery,
  readKeysetPage,
  readKeysetPages,
} from '#core/paging/read-page.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { type OwnedBy, ownershipOf } from '../owners.ts'
import { ENTRY_SETS, type SelectedEntry, type TimelineQuery, type TimelineRow } from './entry.ts'
import {
  conditionsOf,
  type SplitConditions,
  splitConditions,
  sumConditionsOf,
  type TimelineFilter,
} from './filter.ts'
import { orderOf, SORT_KEYS_PER_MS } from './order.ts'

/** How many entries are looked through before an index is asked: at least so many, and so many for each of the page. */
const NEAR = 10_000
const NEAR_EACH = 50

/** Whose entries are searched for what. */
type Searched = Pick<TimelineQuery, 'clientId' | 'filter'>

/** A page's rows, and how many entries were looked through for them; one row without an entry where there is none. */
type NearRow<Row> = (Row | { readonly id: null }) & { readonly seen: number }

const isEntry = <Row extends SelectedEntry>(row: NearRow<Row>): row is Row & { readonly seen: number } =>
  row.id !== null

/**
 * What of the nearest entries matches, and whether that is all there is to know. The entries are read as they are looked
 * through, in their order: no more of them than fill the page.
 */
const readNear = async <Row extends SelectedEntry>(
  db: Reader,
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

/** The entries of the days on which the sums know any; the sums are of everyone, or of one client. */
const entriesOfDays = (sums: Prisma.Sql) => Prisma.sql`
  (SELECT found.* FROM (SELECT DISTINCT e.day FROM activity.total_day e WHERE ${sums}) d
    JOIN activity.progress p ON p.name = 'event'
    JOIN LATERAL (SELECT * FROM activity.entry e WHERE e.sort >= ${startOfDay(Prisma.sql`d.day`)}
      AND e.sort < ${startOfDay(Prisma.sql`d.day + 1`)}) found ON TRUE) e`

/** Pending ones come and go, so no index has them: they are few, and of few days. */
const isMostlyPending = ({ outcomes }: TimelineFilter): boolean => {
  const sought: readonly Outcome[] = outcomes ?? []
  return sought.includes('PENDING') && !sought.includes('COMPLETED')
}

const fromOf = (page: PageQuery<never>, { clientId, filter }: Searched): Prisma.Sql => {
  if (!isMostlyPending(filter)) return page.from
  const { kinds, outcomes, postedBy } = filter
  return entriesOfDays(sumConditionsOf(clientId, { kinds, outcomes, postedBy })!)
}

/** The page, from all that match. */
const readFound = <Row extends SelectedEntry>(db: Reader, page: PageQuery<Row>, query: Searched) => {
  const { columns, where, keyset, number } = page
  return db.$queryRaw<Row[]>`
    WITH found AS MATERIALIZED (SELECT e.* FROM ${fromOf(page, query)}
      WHERE ${where} AND ${boundsOf(keyset, number)})
    SELECT ${columns} FROM found e ${orderAndLimit(keyset, number)}`
}

/** How a page of a timeline is searched for. */
interface Search {
  readonly query: Searched
  readonly split: SplitConditions
  /** At least so many entries are looked through; none for 0. */
  readonly near: number
}

/** The page's rows, one more than it holds if there are. */
async function searchRows<Row extends SelectedEntry>(
  db: Reader,
  page: PageQuery<Row>,
  { query, split, near }: Search,
): Promise<Row[]> {
  // A correlator is of one request's transactions, however many others are near.
  if (query.filter.correlator != null) return readFound(db, page, query)
  const size = near && Math.max(near, page.keyset.size * NEAR_EACH)
  const { found, whole } = await readNear(db, page, split, size)
  return whole ? found : readFound(db, page, query)
}

const ENTRIES = Prisma.sql`activity.entry e`

/** `totalCount` of each owner, in the owners' order, by one statement. */
export const countTimelines = (
  db: Reader,
  { clientId, filter }: Pick<TimelineQuery, 'clientId' | 'filter'>,
  by: OwnedBy,
  owners: readonly string[],
): Promise<number[]> => {
  const ownership = ownershipOf('e', by)
  const sums = sumConditionsOf(clientId, filter)
  if (!sums)
    return countByOwner(db, { from: ENTRIES, where: conditionsOf(clientId, filter) }, ownership, owners)
  const from = Prisma.sql`activity.holder_day e`
  const count = Prisma.sql`sum(e.entries)::bigint`
  return countByOwner(db, { from, where: sums, count }, ownership, owners)
}

/** `totalCount` over everything that may be seen. Everyone's sums do not tell merchants apart, those of clients do. */
const countTimeline = async (
  db: Reader,
  { clientId, filter }: Pick<TimelineQuery, 'clientId' | 'filter'>,
): Promise<number> => {
  const sums = sumConditionsOf(clientId, filter)
  if (!sums) return countRows(db, { from: ENTRIES, where: conditionsOf(clientId, filter) })
  const from = filter.merchant == null ? Prisma.sql`activity.total_day e` : Prisma.sql`activity.client_day e`
  const [row] = await db.$queryRaw<{ count: bigint | null }[]>`
    SELECT sum(e.entries)::bigint AS count FROM ${from} WHERE ${sums}`
  return Number(row?.count ?? 0)
}

/** A page of the timeline with its total. */
export type TimelinePage<Row extends SelectedEntry = SelectedEntry> = CountedConnection<Row>

const pageOf = <Row extends SelectedEntry>(
  { byAmount, keyset, columns: { columns } = ENTRY_SETS.all }: TimelineQuery<Row>,
  where: Prisma.Sql,
): OwnedPageQuery<Row> => {
  const { number, numberRead, numberOf, cursors } = orderOf(byAmount)
  const from = Prisma.sql`activity.entry e`
  return { columns, from, where, keyset, number, numberRead, cursorOf: row => cursors.to(numberOf(row)) }
}

/** The page of each owner, in the owners' order, by one statement. */
export const readTimelines = <Row extends SelectedEntry = TimelineRow>(
  db: Reader,
  query: TimelineQuery<Row>,
  by: OwnedBy,
  owners: readonly string[],
): Promise<Connection<Row>[]> => {
  const page = pageOf(query, conditionsOf(query.clientId, query.filter))
  return readKeysetPages(db, page, ownershipOf('e', by), owners)
}

/**
 * The page over everything that may be seen.
 * @param near how many entries are looked through for what no index is ordered by.
 */
export async function readTimeline<Row extends SelectedEntry = TimelineRow>(
  db: Reader,
  query: TimelineQuery<Row>,
  near = NEAR,
): Promise<TimelinePage<Row>> {
  const { clientId, filter, byAmount, keyset } = query
  const page = pageOf(query, conditionsOf(clientId, filter))
  const totalCount = () => countTimeline(db, query)
  const split = splitConditions(clientId, filter, byAmount)
  if (!split.rest) return readKeysetPage(db, page, totalCount)
  const rows = await searchRows(db, page, { query, split, near })
  return { ...toConnection(keyset, rows, page.cursorOf), totalCount }
}
