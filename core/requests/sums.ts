/** Sums of refused requests by period, client, code, reason and field: `Query.requestSummary`. */
import type { Caller } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import { DAY_MS } from '../data/day-partitions.ts'
import { Prisma, type Statements } from '../data/db.ts'
import { invalid, invalidField } from '../errors/catalogue.ts'
import { checkReference } from '../values/text.ts'
import { type WithMoments, withInstants } from '../values/time.ts'
import { type RequestRow, visibleRequests, within } from './read.ts'

export type RequestGroup = 'CLIENT' | 'VIA' | 'OPERATION' | 'STATUS' | 'CODE' | 'REASON' | 'FIELD'

/** Length of a period of the sums. */
export type RequestPeriod = 'HOUR' | 'DAY' | 'WEEK' | 'MONTH' | 'ALL'

interface Span {
  readonly from?: Date | null
  readonly to?: Date | null
}

export interface RequestSumArgs extends WithMoments<Span> {
  readonly by: RequestPeriod
  readonly groupBy?: readonly RequestGroup[] | null
  readonly client?: string | null
  readonly first?: number | null
}

/** Refusals of one period and group; null where a group was not requested, or is absent. */
export interface RequestSumRow {
  readonly period: Date
  readonly clientId: string | null
  readonly via: RequestRow['via'] | null
  readonly operation: string | null
  readonly status: number | null
  readonly code: string | null
  readonly reason: string | null
  readonly field: string | null
  readonly count: number
}

/** Span without `from`. */
const DEFAULT_DAYS = 7

const MAX_SUMS = 10_000

const COLUMNS: Readonly<Record<RequestGroup, { readonly column: string; readonly name: string }>> = {
  CLIENT: { column: 'client_id', name: 'clientId' },
  VIA: { column: 'via', name: 'via' },
  OPERATION: { column: 'operation', name: 'operation' },
  STATUS: { column: 'status', name: 'status' },
  CODE: { column: 'code', name: 'code' },
  REASON: { column: 'reason', name: 'reason' },
  FIELD: { column: 'field', name: 'field' },
}

const UNITS = {
  HOUR: Prisma.raw(`'hour'`),
  DAY: Prisma.raw(`'day'`),
  WEEK: Prisma.raw(`'week'`),
  MONTH: Prisma.raw(`'month'`),
}

const periodOf = (by: RequestPeriod, timezone: string): Prisma.Sql =>
  by === 'ALL' ? Prisma.sql`NULL::timestamptz` : Prisma.sql`date_trunc(${UNITS[by]}, r.at, ${timezone}::text)`

/** Columns of the groups that were requested, and their names among the results. */
const groupsOf = (groupBy: readonly RequestGroup[]): Prisma.Sql[] =>
  (Object.keys(COLUMNS) as RequestGroup[]).map(group => {
    const { column, name } = COLUMNS[group]
    const type = group === 'STATUS' ? 'smallint' : 'text'
    return Prisma.raw(`${groupBy.includes(group) ? `r.${column}` : `NULL::${type}`} AS "${name}"`)
  })

const checkSumArgs = ({ client, first }: RequestSumArgs): void => {
  if (client != null) checkReference('client', client)
  if (first != null && (first < 0 || first > MAX_SUMS))
    throw invalidField('first', first < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_SUMS}`)
}

type SumRow = Omit<RequestSumRow, 'count'> & { readonly count: bigint }

const toSums = (rows: readonly SumRow[]): RequestSumRow[] => {
  if (rows.length > MAX_SUMS)
    throw invalid(
      `The summary has more than ${MAX_SUMS} rows: ask for the first ones, group by less, by longer periods, or narrow the time`,
      { reason: 'TOO_MANY' },
    )
  return rows.map(row => ({ ...row, count: Number(row.count) }))
}

/**
 * Adds up the refused requests that the caller may see, by period, within a period the most frequent first.
 * @throws ServiceError INVALID_ARGUMENT
 */
export const sumRequests = async (
  db: Statements,
  { timezone }: Pick<Config, 'timezone'>,
  caller: Caller,
  args: RequestSumArgs,
): Promise<RequestSumRow[]> => {
  checkSumArgs(args)
  const { by, client, first } = args
  const groupBy = [...new Set(args.groupBy ?? [])]
  const { from, to } = withInstants(args)
  const until = to ?? new Date()
  const since = from ?? new Date(until.getTime() - DEFAULT_DAYS * DAY_MS)
  const conditions = [visibleRequests(caller, 'requestSummary'), ...within(since, until)]
  if (client != null) conditions.push(Prisma.sql`r.client_id = ${client}`)
  const rows = await db.$queryRaw<SumRow[]>`
    SELECT coalesce(s.start, min(s.earliest) OVER ()) AS period, s."clientId", s.via, s.operation, s.status, s.code, s.reason,
      s.field, s.count
    FROM (
      SELECT g.start, g."clientId", g.via, g.operation, g.status, g.code, g.reason, g.field,
        sum(g.weight)::bigint AS count, min(g.at) AS earliest
      FROM (
        SELECT ${periodOf(by, timezone)} AS start, ${Prisma.join(groupsOf(groupBy))}, r.weight, r.at
        FROM activity.request r WHERE r.code IS NOT NULL AND ${Prisma.join(conditions, ' AND ')}) g
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) s
    ORDER BY s.start, s.count DESC, 2, 3, 4, 5, 6, 7, 8 LIMIT ${first ?? MAX_SUMS + 1}::int`
  return toSums(rows)
}
