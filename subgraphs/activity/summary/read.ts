/** Summaries: sums of sums by day, per currency, as the rows of the response. */
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalid } from '#core/errors/catalogue.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { type Decimal, toDecimal } from '#core/values/money.ts'
import type { EntryOwner } from '../kinds.ts'
import {
  daysOf,
  everyoneScope,
  MAX_ROWS,
  ownerScope,
  type Scope,
  type SummaryGroup,
  type SummaryOrder,
  type SummaryQuery,
} from './query.ts'

/** Groups of a row of a summary; null where a group was not requested, or is absent. */
interface Groups {
  readonly kind: string | null
  readonly outcome: Outcome | null
  readonly channel: string | null
  readonly merchant: string | null
  readonly currency: string | null
  readonly clientId: string | null
  readonly reason: string | null
}

/** Row of the database: always of one currency, empty where no money moves. */
interface SumRow extends Omit<Groups, 'currency'> {
  readonly holder: string
  readonly period: string
  readonly currency: string
  readonly count: bigint
  readonly completed: bigint
  readonly failed: bigint
  readonly amount: Prisma.Decimal
  readonly points: Prisma.Decimal
  readonly movesPoints: boolean
}

interface Money {
  readonly value: Decimal
  readonly currency: string
}

/** A row of the graph's `ActivitySummary`. */
export interface SummaryRow extends Groups {
  readonly period: string
  readonly count: number
  readonly completed: number
  readonly failed: number
  readonly amounts: Money[]
  readonly points: Decimal | null
}

const total = (rows: readonly SumRow[], field: 'count' | 'completed' | 'failed') =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0)

const pointsOf = (rows: readonly SumRow[]): Decimal | null => {
  if (!rows.some(row => row.movesPoints)) return null
  return rows.reduce((sum, { points }) => sum.plus(toDecimal(String(points))), toDecimal(0))
}

const amountsOf = (rows: readonly SumRow[]): Money[] =>
  rows
    .filter(({ currency }) => currency !== '')
    .map(({ amount, currency }) => ({ value: toDecimal(String(amount)), currency }))

const toSummary = (rows: readonly SumRow[], byCurrency: boolean): SummaryRow => {
  const { period, kind, outcome, channel, merchant, clientId, reason, currency } = rows[0]!
  return {
    ...{ period, kind, outcome, channel: channel || null, merchant: merchant || null, clientId },
    reason: reason || null,
    currency: byCurrency ? currency || null : null,
    count: total(rows, 'count'),
    completed: total(rows, 'completed'),
    failed: total(rows, 'failed'),
    amounts: amountsOf(rows),
    points: pointsOf(rows),
  }
}

/** Makes the rows of a summary, in the order of the database's rows. */
function toSummaries(rows: readonly SumRow[], groupBy: readonly SummaryGroup[]): SummaryRow[] {
  const byCurrency = groupBy.includes('CURRENCY')
  const groupOf = ({ period, kind, outcome, channel, merchant, clientId, reason, currency }: SumRow) =>
    JSON.stringify([period, kind, outcome, channel, merchant, clientId, reason, byCurrency && currency])
  return [...Map.groupBy(rows, groupOf).values()].map(group => toSummary(group, byCurrency))
}

const COLUMN_OF: Readonly<Record<SummaryGroup, string>> = {
  KIND: 'kind',
  OUTCOME: 'outcome',
  CHANNEL: 'channel',
  MERCHANT: 'merchant',
  CURRENCY: 'currency',
  PARTNER: 'client_id',
  REASON: 'reason',
}

const UNIT = { DAY: Prisma.raw(`'day'`), WEEK: Prisma.raw(`'week'`), MONTH: Prisma.raw(`'month'`) }

/** True where the only period begins with the first of all days, which is known once the days are added up. */
const isFromFirstDay = ({ by, since }: SummaryQuery) => by === 'ALL' && since === undefined

/** First day of a day's period. */
const periodOf = ({ by, since }: SummaryQuery) =>
  by === 'ALL'
    ? Prisma.sql`${since ?? null}::date`
    : Prisma.sql`date_trunc(${UNIT[by]}, d.day::timestamp)::date`

const shownPeriod = (query: SummaryQuery) =>
  isFromFirstDay(query) ? Prisma.sql`min(min(d.day)) OVER (PARTITION BY d.holder)` : Prisma.sql`d.period`

const groupColumn = (groupBy: readonly SummaryGroup[], group: SummaryGroup, name: string) =>
  Prisma.raw(`${groupBy.includes(group) ? `d.${COLUMN_OF[group]}` : 'NULL::text'} AS "${name}"`)

/** Keys of a row of the summary, in the requested order, which is that of the response. */
const rowKeys = (groupBy: readonly SummaryGroup[]) =>
  Prisma.raw(['d.holder', 'd.period', ...groupBy.map(group => `d.${COLUMN_OF[group]}`)].join(', '))

const MEASURE: Readonly<Record<SummaryOrder['field'], Prisma.Sql>> = {
  COUNT: Prisma.raw('sum(s.count) OVER one'),
  AMOUNT: Prisma.raw('sum(s.amount) OVER one'),
  POINTS: Prisma.raw('sum(s.points) OVER one'),
  FAILED: Prisma.raw('sum(s.failed) OVER one'),
  PERIOD: Prisma.raw('s.period'),
}

const DIRECTION = { ASC: Prisma.raw('ASC'), DESC: Prisma.raw('DESC') }

/** Statement of the sums: its rows have one currency each; those of one row of the summary have the same `place`. */
const grouped = (scope: Scope, query: SummaryQuery) => Prisma.sql`
  SELECT d.holder, (${shownPeriod(query)})::text AS period,
    ${groupColumn(query.groupBy, 'KIND', 'kind')}, ${groupColumn(query.groupBy, 'OUTCOME', 'outcome')},
    ${groupColumn(query.groupBy, 'CHANNEL', 'channel')}, ${groupColumn(query.groupBy, 'MERCHANT', 'merchant')},
    ${groupColumn(query.groupBy, 'PARTNER', 'clientId')}, ${groupColumn(query.groupBy, 'REASON', 'reason')}, d.currency,
    sum(d.entries)::bigint AS count,
    coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'COMPLETED'), 0)::bigint AS completed,
    coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'FAILED'), 0)::bigint AS failed,
    coalesce(sum(d.amount) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS amount,
    coalesce(sum(d.points) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS points,
    bool_or(d.kind = ANY (${query.pointsKinds}::text[])) AS "movesPoints",
    dense_rank() OVER (ORDER BY ${rowKeys(query.groupBy)}) AS place
  FROM (SELECT d.*, ${periodOf(query)} AS period FROM (${daysOf(scope, query)}) d) d
  GROUP BY ${rowKeys(query.groupBy)}, d.currency`

const withinLimit = (rows: SumRow[]): SumRow[] => {
  if (rows.length > MAX_ROWS)
    throw invalid(
      `The summary has more than ${MAX_ROWS} rows: ask for the first ones, group by less, by longer periods, or narrow the time`,
      { reason: 'TOO_MANY' },
    )
  return rows
}

const readSums = async (db: Statements, scope: Scope, query: SummaryQuery): Promise<SumRow[]> => {
  const { field, direction = 'DESC' } = query.orderBy
  const rows = await db.$queryRaw<SumRow[]>`
    SELECT * FROM (
      SELECT m.*, dense_rank() OVER (PARTITION BY m.holder ORDER BY m.measure ${DIRECTION[direction]}, m.place) AS nth
      FROM (SELECT s.*, ${MEASURE[field]} AS measure FROM (${grouped(scope, query)}) s
        WINDOW one AS (PARTITION BY s.place)) m) o
    WHERE o.nth <= ${query.first ?? MAX_ROWS + 1}::int ORDER BY o.holder, o.nth, o.currency
    LIMIT ${MAX_ROWS + 1}`
  return withinLimit(rows)
}

/** Reads the summary of each owner, in the owners' order, by one statement. */
export async function readSummaries(
  db: Statements,
  query: SummaryQuery,
  by: EntryOwner,
  owners: readonly string[],
): Promise<SummaryRow[][]> {
  const rows = await readSums(db, ownerScope(by, owners), query)
  const ofOwner = Map.groupBy(rows, row => row.holder)
  return owners.map(holder => toSummaries(ofOwner.get(holder) ?? [], query.groupBy))
}

/** Reads the summary of everything that the client may see. */
export async function readSummary(db: Statements, query: SummaryQuery): Promise<SummaryRow[]> {
  return toSummaries(await readSums(db, everyoneScope(query), query), query.groupBy)
}
