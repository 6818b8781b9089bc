/**
 * Pages of a timeline that is narrowed to what no index is ordered by. The database cannot know whether to go through
 * the entries in their order (what is everywhere) or through an index of what is sought (what is rare): a look at the
 * nearest entries tells, and neither goes through a whole history.
 */
import { Prisma, type Reader } from '#core/data/db.ts'
import { boundsOf, directionOf, orderAndLimit } from '#core/paging/keyset.ts'
import type { PageQuery } from '#core/paging/read-page.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import type { SelectedEntry, TimelineQuery } from './entry.ts'
import { type SplitConditions, sumConditionsOf, type TimelineFilter } from './filter.ts'
import { SORT_KEYS_PER_MS } from './sort-key.ts'

/** How many entries are looked through before an index is asked: at least so many, and so many for each of the page. */
export const NEAR = 10_000
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
export interface Search {
  readonly query: Searched
  readonly split: SplitConditions
  /** At least so many entries are looked through; none for 0. */
  readonly near: number
}

/** The page's rows, one more than it holds if there are. */
export async function searchRows<Row extends SelectedEntry>(
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
