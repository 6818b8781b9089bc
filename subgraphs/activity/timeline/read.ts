/** Pages of the timeline: an index range scan in either direction, whichever page it is. */
import { Prisma, type Reader } from '#core/data/db.ts'
import { type Connection, type CountedConnection, toConnection } from '#core/paging/keyset.ts'
import { type OwnedPageQuery, readKeysetPage, readKeysetPages } from '#core/paging/read-page.ts'
import { type OwnedBy, ownershipOf } from '../owners.ts'
import { countTimeline } from './count.ts'
import { ENTRY_SETS, type SelectedEntry, type TimelineQuery, type TimelineRow } from './entry.ts'
import { conditionsOf, splitConditions } from './filter.ts'
import { BY_AMOUNT, BY_TIME, type TimelineOrder } from './order.ts'
import { NEAR, searchRows } from './search.ts'

/** A page of the timeline with its total. */
export type TimelinePage<Row extends SelectedEntry = SelectedEntry> = CountedConnection<Row>

/** How the order is told to the database, and to clients. */
export const orderOf = (byAmount: boolean): TimelineOrder => (byAmount ? BY_AMOUNT : BY_TIME)

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
