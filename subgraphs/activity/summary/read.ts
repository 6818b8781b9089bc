/**
 * Summaries: sums of rows by period and group, per currency, and measures of them, as the rows of the response. Sums by day answer
 * most questions; the others go through the entries of the span. What would be too many of either is refused (`limits.ts`).
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalid } from '#core/errors/catalogue.ts'
import type { EntryOwner } from '../kinds.ts'
import { requireReadable } from './limits.ts'
import {
  MAX_ROWS,
  type Measure,
  type Period,
  type SummaryGroup,
  type SummaryOrder,
  type SummaryQuery,
} from './query.ts'
import { type SummaryRow, type SumRow, toSummaries } from './row.ts'
import { everyoneScope, ownerScope, rowsOf, type ScopeOf } from './rows.ts'

const COLUMN_OF: Readonly<Record<SummaryGroup, string>> = {
  KIND: 'kind',
  OUTCOME: 'outcome',
  CHANNEL: 'channel',
  MERCHANT: 'merchant',
  CURRENCY: 'currency',
  PARTNER: 'client_id',
  REASON: 'reason',
  CUSTOMER: 'account_number',
  CATEGORY: 'category',
  PRODUCT: 'product',
  PAYMENT_METHOD: 'payment_method',
}

/** Names of the groups' columns in `SumRow`; the currency is always there. */
const NAME_OF: Readonly<Partial<Record<SummaryGroup, string>>> = {
  KIND: 'kind',
  OUTCOME: 'outcome',
  CHANNEL: 'channel',
  MERCHANT: 'merchant',
  PARTNER: 'clientId',
  REASON: 'reason',
  CUSTOMER: 'customerAccountNumber',
  CATEGORY: 'category',
  PRODUCT: 'product',
  PAYMENT_METHOD: 'paymentMethod',
}

const firstDayOf = (unit: string) => Prisma.raw(`date_trunc('${unit}', d.at)::date`)

const PERIOD: Readonly<Record<Exclude<Period, 'ALL'>, Prisma.Sql>> = {
  DAY: firstDayOf('day'),
  WEEK: firstDayOf('week'),
  MONTH: firstDayOf('month'),
  QUARTER: firstDayOf('quarter'),
  YEAR: firstDayOf('year'),
  HOUR_OF_DAY: Prisma.raw(`date_part('hour', d.at)::int`),
  DAY_OF_WEEK: Prisma.raw(`date_part('isodow', d.at)::int`),
}

/** True where the only period begins with the first of all days, which is known once the days are added up. */
const isFromFirstDay = ({ by, since }: SummaryQuery) => by === 'ALL' && since === undefined

/** Period of a row; as a date or number it is grouped faster than as the text that the response shows. */
const periodOf = ({ by, since }: SummaryQuery) =>
  by === 'ALL' ? Prisma.sql`${since ?? null}::date` : PERIOD[by]

const shownPeriod = (query: SummaryQuery) =>
  isFromFirstDay(query)
    ? Prisma.sql`(min(min(d.at)) OVER (PARTITION BY d.holder))::date::text`
    : query.by === 'HOUR_OF_DAY'
      ? Prisma.sql`lpad(d.period::text, 2, '0')`
      : Prisma.sql`d.period::text`

const groupColumns = (groupBy: readonly SummaryGroup[]) =>
  Prisma.raw(
    Object.entries(NAME_OF)
      .map(([group, name]) => {
        const asked = groupBy.includes(group as SummaryGroup)
        return `${asked ? `d.${COLUMN_OF[group as SummaryGroup]}` : 'NULL::text'} AS "${name}"`
      })
      .join(', '),
  )

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

const COMPLETED = `FILTER (WHERE d.outcome = 'COMPLETED')`

/** Measures of the amounts of one currency: of what was carried out. A percentile is one of the amounts. */
const OF_AMOUNTS: Readonly<Partial<Record<Measure, string>>> = {
  max: `max(d.amount) ${COMPLETED} AS max`,
  p50: `percentile_disc(0.5) WITHIN GROUP (ORDER BY d.amount) ${COMPLETED} AS p50`,
  p95: `percentile_disc(0.95) WITHIN GROUP (ORDER BY d.amount) ${COMPLETED} AS p95`,
}

const amountMeasures = ({ measures }: SummaryQuery) =>
  Prisma.raw(
    measures
      .flatMap(measure => OF_AMOUNTS[measure] ?? [])
      .map(one => `${one}, `)
      .join(''),
  )

/** Statement of the sums: its rows have one currency each; those of one row of the summary have the same `place`. */
const grouped = (query: SummaryQuery) => Prisma.sql`
  SELECT d.holder, ${shownPeriod(query)} AS period, ${groupColumns(query.groupBy)}, d.currency,
    sum(d.entries)::bigint AS count,
    coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'COMPLETED'), 0)::bigint AS completed,
    coalesce(sum(d.entries) FILTER (WHERE d.outcome = 'FAILED'), 0)::bigint AS failed,
    coalesce(sum(d.amount) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS amount,
    coalesce(sum(d.points) FILTER (WHERE d.outcome = 'COMPLETED'), 0) AS points,
    bool_or(d.kind = ANY (${query.pointsKinds}::text[])) AS "movesPoints", ${amountMeasures(query)}
    dense_rank() OVER (ORDER BY ${rowKeys(query.groupBy)}) AS place
  FROM added d GROUP BY ${rowKeys(query.groupBy)}, d.currency`

/** Numbers of different accounts, by the place of their row: the accounts of each row are found first, by hashing. */
const differentCustomers = (query: SummaryQuery) => {
  const keys = rowKeys(query.groupBy)
  return Prisma.sql`
    SELECT dense_rank() OVER (ORDER BY ${keys}) AS place, count(*) FILTER (WHERE d.counted <> '') AS customers
    FROM (SELECT DISTINCT ${keys}, d.account_number AS counted FROM added d) d GROUP BY ${keys}`
}

const settledTimes = (query: SummaryQuery) => {
  const keys = rowKeys(query.groupBy)
  return Prisma.sql`
    SELECT dense_rank() OVER (ORDER BY ${keys}) AS place,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY d.settled_ms) AS "settledP50",
      percentile_disc(0.95) WITHIN GROUP (ORDER BY d.settled_ms) AS "settledP95"
    FROM added d GROUP BY ${keys}`
}

/** Sums with the measures of all currencies of their row; the places are the same, since the rows are. */
const measured = (query: SummaryQuery) => {
  const { measures } = query
  const wholes = [
    ...(measures.includes('customers') ? [differentCustomers(query)] : []),
    ...(measures.some(one => one.startsWith('settled')) ? [settledTimes(query)] : []),
  ].map((whole, index) => Prisma.sql` JOIN (${whole}) ${Prisma.raw(`w${index}`)} USING (place)`)
  if (wholes.length === 0) return grouped(query)
  return Prisma.sql`SELECT * FROM (${grouped(query)}) g${Prisma.join(wholes, '')}`
}

const withinLimit = <Row>(rows: Row[]): Row[] => {
  if (rows.length > MAX_ROWS)
    throw invalid(
      `The summary has more than ${MAX_ROWS} rows: ask for the first ones, group by less, by longer periods, or narrow the time`,
      { reason: 'TOO_MANY' },
    )
  return rows
}

type PlacedRow = SumRow & { readonly place: bigint }

/** Order of the rows of one period, or of all. */
const rankedBy = ({ firstPerPeriod, orderBy: { direction = 'DESC' } }: SummaryQuery) => {
  const order = Prisma.sql`ORDER BY m.measure ${DIRECTION[direction]}, m.place`
  if (firstPerPeriod === undefined)
    return Prisma.sql`dense_rank() OVER (PARTITION BY m.holder ${order}) AS nth, 1 AS "inPeriod"`
  return Prisma.sql`dense_rank() OVER (PARTITION BY m.holder ORDER BY m.period, m.measure ${DIRECTION[direction]}, m.place) AS nth,
    dense_rank() OVER (PARTITION BY m.holder, m.period ${order}) AS "inPeriod"`
}

const readSums = async (db: Statements, scopeOf: ScopeOf, query: SummaryQuery): Promise<PlacedRow[]> => {
  await requireReadable(db, scopeOf, query)
  const rows = await db.$queryRaw<PlacedRow[]>`
    WITH added AS NOT MATERIALIZED (SELECT d.*, ${periodOf(query)} AS period FROM ${rowsOf(scopeOf(query), query)})
    SELECT * FROM (
      SELECT o.*, dense_rank() OVER (PARTITION BY o.holder ORDER BY o.nth) AS shown FROM (
        SELECT m.*, ${rankedBy(query)}
        FROM (SELECT s.*, ${MEASURE[query.orderBy.field]} AS measure FROM (${measured(query)}) s
          WINDOW one AS (PARTITION BY s.place)) m) o
      WHERE o."inPeriod" <= ${query.firstPerPeriod ?? MAX_ROWS + 1}::int) o
    WHERE o.shown <= ${query.first ?? MAX_ROWS + 1}::int ORDER BY o.holder, o.shown, o.currency
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
  return toSummaries(await readSums(db, everyoneScope, query), query.groupBy)
}
