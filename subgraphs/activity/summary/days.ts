/** What a summary is added up from: sums by day, from the coarsest table that tells apart what is asked for. */
import { visibleTo } from '../../shared/access/visible-to.ts'
import { Prisma } from '../../shared/data/db.ts'
import { columnOf, type OwnerColumn } from '../owners.ts'
import { sortKeyAt } from '../timeline/sort-key.ts'
import type { SummaryQuery } from './query.ts'
import type { Span } from './span.ts'

/** Who may see, and who is asked for; both must hold. */
const isMine = (alias: string, { clientId, postedBy }: SummaryQuery) =>
  Prisma.sql`${visibleTo({ clientId }, alias)} AND ${visibleTo({ clientId: postedBy }, alias)}`

const isWithin = (alias: string, { firstDay, lastDay }: Span) =>
  Prisma.sql`${Prisma.raw(alias)}.day BETWEEN ${firstDay}::date AND ${lastDay}::date`

/** What is asked for, of sums and of entries alike. */
const isAsked = (alias: string, { kinds, merchant }: SummaryQuery) => {
  const table = Prisma.raw(alias)
  return Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(kinds === undefined ? [] : [Prisma.sql`${table}.kind = ANY (${kinds}::text[])`]),
      ...(merchant === undefined ? [] : [Prisma.sql`${table}.merchant = ${merchant}`]),
    ],
    ' AND ',
  )
}

/** Who is asked for, as conditions on entries and, with the table that has it, on sums. */
export interface Scope {
  readonly holder: (alias: string) => Prisma.Sql
  readonly sums: Prisma.Sql
  readonly entries: Prisma.Sql
}

export const ownerScope = (column: OwnerColumn, owners: readonly string[]): Scope => {
  const among = (alias: string) => Prisma.sql`${columnOf(alias, column)} = ANY (${owners}::text[])`
  return {
    holder: alias => columnOf(alias, column),
    sums: Prisma.sql`activity.holder_day s WHERE ${among('s')}`,
    entries: among('e'),
  }
}

/** Every client's sums are read through the clients there are: the index begins with them. One merchant has its own. */
const detailedSums = (query: SummaryQuery): Prisma.Sql => {
  if (query.merchant !== undefined) return Prisma.sql`activity.client_day s WHERE TRUE`
  return Prisma.sql`activity.client_day s WHERE s.client_id IN (SELECT DISTINCT c.client_id FROM activity.total_day c
    WHERE ${isWithin('c', query.span)} AND ${isMine('c', query)})`
}

const isInDetail = ({ groupBy, merchant }: SummaryQuery) =>
  merchant !== undefined || groupBy.includes('CHANNEL') || groupBy.includes('MERCHANT')

export const everyoneScope = (query: SummaryQuery): Scope => ({
  holder: () => Prisma.sql`''`,
  sums: isInDetail(query)
    ? detailedSums(query)
    : Prisma.sql`(SELECT *, '' AS channel, '' AS merchant FROM activity.total_day) s WHERE TRUE`,
  entries: Prisma.sql`TRUE`,
})

const wholeDays = ({ sums, holder }: Scope, query: SummaryQuery) => Prisma.sql`
  SELECT ${holder('s')} AS holder, s.day, s.client_id, s.kind, s.outcome, s.channel, s.merchant, s.reason, s.currency,
    s.entries, s.amount, s.points
  FROM ${sums} AND ${isWithin('s', query.span)} AND ${isMine('s', query)} AND ${isAsked('s', query)}`

const partsOfDays = ({ entries, holder }: Scope, query: SummaryQuery) =>
  query.span.parts.map(
    ({ from, until }) => Prisma.sql`
    SELECT ${holder('e')} AS holder, (e.occurred_at AT TIME ZONE ${query.timezone})::date, e.client_id, e.kind, e.outcome,
      e.channel, e.merchant, e.reason, coalesce(e.currency, ''), 1, coalesce(e.amount, 0), coalesce(e.points, 0)
    FROM activity.entry e WHERE ${entries} AND ${isMine('e', query)} AND ${isAsked('e', query)}
      AND e.sort >= ${sortKeyAt(from)}::bigint AND e.sort < ${sortKeyAt(until)}::bigint`,
  )

/** The days, and the parts of days at the ends of the span, one after the other. */
export const daysOf = (scope: Scope, query: SummaryQuery): Prisma.Sql =>
  Prisma.join([wholeDays(scope, query), ...partsOfDays(scope, query)], ' UNION ALL ')
