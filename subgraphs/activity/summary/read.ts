/** Summaries: sums of sums by day, from the coarsest table that tells apart what is asked for. */
import { visibleTo } from '../../shared/access/visible-to.ts'
import { Prisma, type PrismaClient } from '../../shared/data/db.ts'
import { invalid } from '../../shared/errors/catalogue.ts'
import { columnOf, type OwnerColumn } from '../owners.ts'
import { sortKeyAt } from '../timeline/sort-key.ts'
import { type SummaryGroup, type SummaryRow, type SumRow, toSummaries } from './rows.ts'
import type { Span } from './span.ts'

export interface SummaryQuery {
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  /** Only what this client posted. */
  readonly postedBy: string | undefined
  readonly span: Span
  readonly by: 'DAY' | 'WEEK' | 'MONTH'
  readonly groupBy: readonly SummaryGroup[]
  /** The days of the sums are this time zone's. */
  readonly timezone: string
  /** The kinds that move points. */
  readonly pointsKinds: readonly string[]
}

const COLUMN_OF: Readonly<Record<SummaryGroup, string>> = {
  KIND: 'kind',
  OUTCOME: 'outcome',
  CHANNEL: 'channel',
  MERCHANT: 'merchant',
  CURRENCY: 'currency',
  PARTNER: 'client_id',
}

const UNIT = { DAY: Prisma.raw(`'day'`), WEEK: Prisma.raw(`'week'`), MONTH: Prisma.raw(`'month'`) }

/** Who may see, and who is asked for; both must hold. */
const isMine = (alias: string, { clientId, postedBy }: SummaryQuery) =>
  Prisma.sql`${visibleTo({ clientId }, alias)} AND ${visibleTo({ clientId: postedBy }, alias)}`

const isWithin = (alias: string, { firstDay, lastDay }: Span) =>
  Prisma.sql`${Prisma.raw(alias)}.day BETWEEN ${firstDay}::date AND ${lastDay}::date`

/** Who is asked for, as conditions on entries and, with the table that has it, on sums. */
interface Scope {
  readonly holder: (alias: string) => Prisma.Sql
  readonly sums: Prisma.Sql
  readonly entries: Prisma.Sql
}

const ownerScope = (column: OwnerColumn, owners: readonly string[]): Scope => {
  const among = (alias: string) => Prisma.sql`${columnOf(alias, column)} = ANY (${owners}::text[])`
  return {
    holder: alias => columnOf(alias, column),
    sums: Prisma.sql`activity.holder_day s WHERE ${among('s')}`,
    entries: among('e'),
  }
}

/** Every client's sums are read through the clients there are: the index begins with them. */
const everyoneScope = (query: SummaryQuery): Scope => {
  const { groupBy, span } = query
  const inDetail = groupBy.includes('CHANNEL') || groupBy.includes('MERCHANT')
  const clients = Prisma.sql`SELECT DISTINCT c.client_id FROM activity.total_day c
    WHERE ${isWithin('c', span)} AND ${isMine('c', query)}`
  return {
    holder: () => Prisma.sql`''`,
    sums: inDetail
      ? Prisma.sql`activity.client_day s WHERE s.client_id IN (${clients})`
      : Prisma.sql`(SELECT *, '' AS channel, '' AS merchant FROM activity.total_day) s WHERE TRUE`,
    entries: Prisma.sql`TRUE`,
  }
}

const wholeDays = ({ sums, holder }: Scope, query: SummaryQuery) => Prisma.sql`
  SELECT ${holder('s')} AS holder, s.day, s.client_id, s.kind, s.outcome, s.channel, s.merchant, s.currency,
    s.entries, s.amount, s.points
  FROM ${sums} AND ${isWithin('s', query.span)} AND ${isMine('s', query)}`

const partsOfDays = ({ entries, holder }: Scope, query: SummaryQuery) =>
  query.span.parts.map(
    ({ from, until }) => Prisma.sql`
    SELECT ${holder('e')} AS holder, (e.occurred_at AT TIME ZONE ${query.timezone})::date, e.client_id, e.kind, e.outcome,
      e.channel, e.merchant, coalesce(e.currency, ''), 1, coalesce(e.amount, 0), coalesce(e.points, 0)
    FROM activity.entry e WHERE ${entries} AND ${isMine('e', query)}
      AND e.sort >= ${sortKeyAt(from)}::bigint AND e.sort < ${sortKeyAt(until)}::bigint`,
  )

const groupColumn = (groupBy: readonly SummaryGroup[], group: SummaryGroup, name: string) =>
  Prisma.raw(`${groupBy.includes(group) ? `d.${COLUMN_OF[group]}` : 'NULL::text'} AS "${name}"`)

/** In the order in which the groups are asked for, so that the response is sorted that way. */
const keysOf = (groupBy: readonly SummaryGroup[]) =>
  Prisma.raw(['period', ...groupBy.map(group => `d.${COLUMN_OF[group]}`), 'd.currency'].join(', '))

/** A year of days told apart by kind and outcome has 5,475; more would stop everyone else while they are added up. */
export const MAX_ROWS = 10_000

const withinLimit = (rows: SumRow[]): SumRow[] => {
  if (rows.length > MAX_ROWS)
    throw invalid(
      `The summary has more than ${MAX_ROWS} rows: group by less, by longer periods, or narrow the time`,
    )
  return rows
}

const readSums = async (db: PrismaClient, scope: Scope, query: SummaryQuery): Promise<SumRow[]> => {
  const { by, groupBy, pointsKinds } = query
  const days = Prisma.join([wholeDays(scope, query), ...partsOfDays(scope, query)], ' UNION ALL ')
  const rows = await db.$queryRaw<SumRow[]>`
    SELECT d.holder, date_trunc(${UNIT[by]}, d.day::timestamp)::date::text AS period,
      ${groupColumn(groupBy, 'KIND', 'kind')}, ${groupColumn(groupBy, 'OUTCOME', 'outcome')},
      ${groupColumn(groupBy, 'CHANNEL', 'channel')}, ${groupColumn(groupBy, 'MERCHANT', 'merchant')},
      ${groupColumn(groupBy, 'PARTNER', 'clientId')}, d.currency,
      sum(d.entries)::bigint AS count,
      coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'COMPLETED'), 0)::bigint AS completed,
      coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'FAILED'), 0)::bigint AS failed,
      coalesce(sum(d.amount) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS amount,
      coalesce(sum(d.points) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS points,
      bool_or(d.kind = ANY (${pointsKinds}::text[])) AS "movesPoints"
    FROM (${days}) d GROUP BY d.holder, ${keysOf(groupBy)} ORDER BY d.holder, ${keysOf(groupBy)}
    LIMIT ${MAX_ROWS + 1}`
  return withinLimit(rows)
}

/** The summary of each owner, in the owners' order, by one statement. */
export async function readSummaries(
  db: PrismaClient,
  query: SummaryQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<SummaryRow[][]> {
  const rows = await readSums(db, ownerScope(column, owners), query)
  const ofOwner = Map.groupBy(rows, row => row.holder)
  return owners.map(holder => toSummaries(ofOwner.get(holder) ?? [], query.groupBy))
}

/** The summary of everything that may be seen. */
export async function readSummary(db: PrismaClient, query: SummaryQuery): Promise<SummaryRow[]> {
  return toSummaries(await readSums(db, everyoneScope(query), query), query.groupBy)
}
