/**
 * Rows that a summary adds up, in one shape: sums by day with the parts of days at the ends of the span, or the entries of
 * the span one by one where no sum has what is asked for.
 */
import { visibleTo } from '#core/access/visibility.ts'
import { Prisma } from '#core/data/db.ts'
import { disjoint } from '#core/paging/read-page.ts'
import { type EntryOwner, ownershipOf } from '../kinds.ts'
import { sortKeyAt } from '../timeline/entry.ts'
import { type Detail, detailOf, type Span, type SummaryQuery } from './query.ts'

/** Condition of the client's visibility and of the requested partner; both must hold. */
const isMine = (alias: string, { clientId, postedBy }: SummaryQuery) =>
  Prisma.sql`${visibleTo({ clientId }, alias)} AND ${visibleTo({ clientId: postedBy }, alias)}`

const isWithin = (alias: string, { firstDay, lastDay }: Span) =>
  Prisma.sql`${Prisma.raw(alias)}.day BETWEEN ${firstDay}::date AND ${lastDay}::date`

const oneOf = (column: Prisma.Sql, values: readonly string[] | undefined): Prisma.Sql[] =>
  values ? [Prisma.sql`${column} = ANY (${values}::text[])`] : []

/** Condition of the requested kinds, merchants and so on, for sums and entries alike. */
const matchesRequest = (alias: string, query: SummaryQuery) => {
  const column = (name: string) => Prisma.raw(`${alias}.${name}`)
  const { merchant } = query
  return Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...oneOf(column('kind'), query.kinds),
      ...(merchant === undefined ? [] : [Prisma.sql`${column('merchant')} = ${merchant}`]),
      ...oneOf(column('merchant'), query.merchants),
      ...oneOf(column('channel'), query.channels),
      ...oneOf(column('reason'), query.reasons),
      ...oneOf(column('account_number'), query.customers),
    ],
    ' AND ',
  )
}

/** Rows of the requested owners, as items of `FROM` with the beginning of their conditions. */
export interface Scope {
  /** Detail of the rows that are read. */
  readonly detail: Detail
  /** Owner of a row of this alias, where several are requested. */
  readonly holder: (alias: string) => Prisma.Sql
  /** Sums, called `s`. */
  readonly sums: Prisma.Sql
  /** Entries, called `e`. */
  readonly entries: Prisma.Sql
}

/** Makes the scope that has what a query asks for. */
export type ScopeOf = (query: SummaryQuery) => Scope

/** Rows of the owners in a table, each with its owner as `holder`. */
const ownedRows = (table: string, alias: string, by: EntryOwner, owners: readonly string[]): Prisma.Sql => {
  const ownership = ownershipOf('t', by)
  const requested = ownership.requested(Prisma.sql`(SELECT unnest(${owners}::text[]) AS key)`)
  const ways = disjoint(ownership).map(
    owned => Prisma.sql`
    SELECT requested.key AS holder, t.* FROM ${requested} requested JOIN ${Prisma.raw(`activity.${table}`)} t ON ${owned}`,
  )
  return Prisma.sql`(${Prisma.join(ways, ' UNION ALL ')}) ${Prisma.raw(alias)} WHERE TRUE`
}

/** Rows of owners: their sums by day know everything but what belongs to single entries. */
export const ownerScope =
  (by: EntryOwner, owners: readonly string[]): ScopeOf =>
  query => ({
    detail: detailOf(query) === 'entry' ? 'entry' : 'holder',
    holder: alias => Prisma.raw(`${alias}.holder`),
    sums: ownedRows('holder_day', 's', by, owners),
    entries: ownedRows('entry', 'e', by, owners),
  })

/**
 * Sums of clients. Those of all clients are read client by client, as the index begins with the client; merchants have an
 * index of their own.
 */
const clientSums = (query: SummaryQuery): Prisma.Sql => {
  const sums = Prisma.raw(`(SELECT *, '' AS account_number FROM activity.client_day) s`)
  if (query.merchant !== undefined || query.merchants) return Prisma.sql`${sums} WHERE TRUE`
  return Prisma.sql`${sums} WHERE s.client_id IN (SELECT DISTINCT c.client_id FROM activity.total_day c
    WHERE ${isWithin('c', query.span)} AND ${isMine('c', query)})`
}

const SUMS: Readonly<Record<Detail, (query: SummaryQuery) => Prisma.Sql>> = {
  total: () =>
    Prisma.raw(
      `(SELECT *, '' AS channel, '' AS merchant, '' AS account_number FROM activity.total_day) s WHERE TRUE`,
    ),
  client: clientSums,
  holder: () => Prisma.raw('activity.holder_day s WHERE TRUE'),
  entry: () => Prisma.raw('(SELECT) s WHERE FALSE'),
}

/** Rows of everybody. Sums of customers are found by their accounts alone, so that without any the entries are read. */
export const everyoneScope: ScopeOf = query => {
  const asked = detailOf(query)
  const detail = asked === 'holder' && !query.customers ? 'entry' : asked
  return {
    detail,
    holder: () => Prisma.sql`''`,
    sums: SUMS[detail](query),
    entries: Prisma.sql`activity.entry e WHERE TRUE`,
  }
}

const wholeDays = ({ sums, holder }: Scope, query: SummaryQuery) => Prisma.sql`
  SELECT ${holder('s')} AS holder, s.day::timestamp AS at, s.client_id, s.kind, s.outcome, s.channel, s.merchant, s.reason,
    s.currency, s.entries, s.amount, s.points, s.account_number, '' AS product, '' AS payment_method, NULL::bigint AS settled_ms
  FROM ${sums} AND ${isWithin('s', query.span)} AND ${isMine('s', query)} AND ${matchesRequest('s', query)}`

type Ends = Pick<Span, 'from' | 'until'>

const isBetween = ({ from, until }: Ends) =>
  Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(from ? [Prisma.sql`e.sort >= ${sortKeyAt(from)}::bigint`] : []),
      ...(until ? [Prisma.sql`e.sort < ${sortKeyAt(until)}::bigint`] : []),
    ],
    ' AND ',
  )

const entriesBetween = ({ entries, holder }: Scope, query: SummaryQuery, ends: Ends) => Prisma.sql`
  SELECT ${holder('e')} AS holder, e.occurred_at AT TIME ZONE ${query.timezone} AS at, e.client_id, e.kind, e.outcome,
    e.channel, e.merchant, e.reason, coalesce(e.currency, '') AS currency, 1::bigint AS entries, coalesce(e.amount, 0) AS amount,
    coalesce(e.points, 0) AS points, coalesce(e.account_number, '') AS account_number, e.product, e.payment_method, e.settled_ms
  FROM ${entries} AND ${isMine('e', query)} AND ${matchesRequest('e', query)} AND ${isBetween(ends)}`

/** All rows of the span, in the scope's detail. */
const allRows = (scope: Scope, query: SummaryQuery): Prisma.Sql => {
  const { span } = query
  if (scope.detail === 'entry') return entriesBetween(scope, query, span)
  const parts = span.parts.map(part => entriesBetween(scope, query, part))
  return Prisma.join([wholeDays(scope, query), ...parts], ' UNION ALL ')
}

/** The rows to add up, called `d`, with the category of their accounts where it is asked for. */
export const rowsOf = (scope: Scope, query: SummaryQuery): Prisma.Sql => {
  const rows = allRows(scope, query)
  if (!query.groupBy.includes('CATEGORY')) return Prisma.sql`(${rows}) d`
  return Prisma.sql`(SELECT r.*, coalesce(a.acct_category, '') AS category FROM (${rows}) r
    LEFT JOIN directory.account a ON a.account_number = r.account_number) d`
}
