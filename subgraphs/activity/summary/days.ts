/** Rows that a summary adds up: sums by day, from the coarsest table that has the requested groups. */
import { visibleTo } from '#core/access/visibility.ts'
import { Prisma } from '#core/data/db.ts'
import { disjoint } from '#core/paging/read-page.ts'
import { type OwnedBy, ownershipOf } from '../owners.ts'
import { sortKeyAt } from '../timeline/order.ts'
import type { Span, SummaryQuery } from './query.ts'

/** Condition of the client's visibility and of the requested partner; both must hold. */
const isMine = (alias: string, { clientId, postedBy }: SummaryQuery) =>
  Prisma.sql`${visibleTo({ clientId }, alias)} AND ${visibleTo({ clientId: postedBy }, alias)}`

const isWithin = (alias: string, { firstDay, lastDay }: Span) =>
  Prisma.sql`${Prisma.raw(alias)}.day BETWEEN ${firstDay}::date AND ${lastDay}::date`

/** Condition of the requested kinds and merchant, for sums and entries alike. */
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

/** Rows of the requested owners, as items of `FROM` with the beginning of their conditions. */
export interface Scope {
  /** Owner of a row of this alias, where several are requested. */
  readonly holder: (alias: string) => Prisma.Sql
  /** Sums, called `s`. */
  readonly sums: Prisma.Sql
  /** Entries, called `e`. */
  readonly entries: Prisma.Sql
}

/** Rows of the owners in a table, each with its owner as `holder`. */
const ownedRows = (table: string, alias: string, by: OwnedBy, owners: readonly string[]): Prisma.Sql => {
  const ownership = ownershipOf('t', by)
  const asked = ownership.asked(Prisma.sql`(SELECT unnest(${owners}::text[]) AS key)`)
  const ways = disjoint(ownership).map(
    owned => Prisma.sql`
    SELECT asked.key AS holder, t.* FROM ${asked} asked JOIN ${Prisma.raw(`activity.${table}`)} t ON ${owned}`,
  )
  return Prisma.sql`(${Prisma.join(ways, ' UNION ALL ')}) ${Prisma.raw(alias)} WHERE TRUE`
}

export const ownerScope = (by: OwnedBy, owners: readonly string[]): Scope => ({
  holder: alias => Prisma.raw(`${alias}.holder`),
  sums: ownedRows('holder_day', 's', by, owners),
  entries: ownedRows('entry', 'e', by, owners),
})

/** Sums in detail. Those of all clients are read client by client, with whom the index begins; merchants have their own. */
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
  entries: Prisma.sql`activity.entry e WHERE TRUE`,
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
    FROM ${entries} AND ${isMine('e', query)} AND ${isAsked('e', query)}
      AND e.sort >= ${sortKeyAt(from)}::bigint AND e.sort < ${sortKeyAt(until)}::bigint`,
  )

/** Whole days, and the parts of days at the ends of the span. */
export const daysOf = (scope: Scope, query: SummaryQuery): Prisma.Sql =>
  Prisma.join([wholeDays(scope, query), ...partsOfDays(scope, query)], ' UNION ALL ')
