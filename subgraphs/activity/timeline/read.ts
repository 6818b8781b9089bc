/** Pages of the timeline: an index range scan in either direction, whichever page it is. */
import { Prisma, type Reader } from '../../shared/data/db.ts'
import { type Connection, type CountedConnection, toConnection } from '../../shared/paging/keyset.ts'
import { type PageQuery, readKeysetPage, readKeysetPages } from '../../shared/paging/read-page.ts'
import { columnOf, type OwnerColumn } from '../owners.ts'
import { countTimeline } from './count.ts'
import type { TimelineQuery, TimelineRow } from './entry.ts'
import { conditionsOf, splitConditions } from './filter.ts'
import { BY_AMOUNT, BY_TIME, type TimelineOrder } from './order.ts'
import { NEAR, searchRows } from './search.ts'

/** A page of the timeline with its total. */
export type TimelinePage = CountedConnection<TimelineRow>

/** How the order is told to the database, and to clients. */
export const orderOf = (byAmount: boolean): TimelineOrder => (byAmount ? BY_AMOUNT : BY_TIME)

const COLUMNS =
  Prisma.raw(`e.id, e.sort, e.kind, e.client_id AS "clientId", e.account_number AS "accountNumber",
  e.mobile_number AS "mobileNumber", e.occurred_at AS "occurredAt", e.status, e.outcome, e.reason, e.currency,
  e.amount, e.points, e.channel, e.merchant, e.text, e.client_correlator_id AS "clientCorrelatorId", e.correlator,
  e.reference_code AS "referenceCode"`)

const pageOf = (
  { byAmount, keyset }: Pick<TimelineQuery, 'byAmount' | 'keyset'>,
  where: Prisma.Sql,
): PageQuery<TimelineRow> => {
  const { number, numberOf, cursors } = orderOf(byAmount)
  const from = Prisma.sql`activity.entry e`
  return { columns: COLUMNS, from, where, keyset, number, cursorOf: row => cursors.to(numberOf(row)) }
}

/** The page of each owner, in the owners' order, by one statement. */
export const readTimelines = (
  db: Reader,
  query: TimelineQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<Connection<TimelineRow>[]> => {
  const page = pageOf(query, conditionsOf(query.clientId, query.filter))
  return readKeysetPages(db, page, columnOf('e', column), owners)
}

/**
 * The page over everything that may be seen.
 * @param near how many entries are looked through for what no index is ordered by.
 */
export async function readTimeline(db: Reader, query: TimelineQuery, near = NEAR): Promise<TimelinePage> {
  const { clientId, filter, byAmount, keyset } = query
  const page = pageOf(query, conditionsOf(clientId, filter))
  const totalCount = () => countTimeline(db, query)
  const split = splitConditions(clientId, filter, byAmount)
  if (!split.rest) return readKeysetPage(db, page, totalCount)
  const rows = await searchRows(db, page, { query, split, near })
  return { ...toConnection(keyset, rows, page.cursorOf), totalCount }
}
