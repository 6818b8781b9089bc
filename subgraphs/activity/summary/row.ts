/** Rows of a summary as the database gives them, put together to those of the response. */
import type { Prisma } from '#core/data/db.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { currencyDecimals, Decimal, toDecimal } from '#core/values/money.ts'
import type { SummaryGroup } from './query.ts'

/** Groups of a row of a summary; null where a group was not requested, or is absent. */
interface Groups {
  readonly kind: string | null
  readonly outcome: Outcome | null
  readonly channel: string | null
  readonly merchant: string | null
  readonly currency: string | null
  readonly clientId: string | null
  readonly reason: string | null
  readonly customerAccountNumber: string | null
  readonly category: string | null
  readonly product: string | null
  readonly paymentMethod: string | null
}

/** Measures of a row over all of its currencies; undefined where they were not selected. */
interface Whole {
  readonly customers?: bigint
  readonly settledP50?: bigint | null
  readonly settledP95?: bigint | null
}

/** Row of the database: always of one currency, empty where no money moves. */
export interface SumRow extends Omit<Groups, 'currency'>, Whole {
  readonly holder: string
  readonly period: string
  readonly currency: string
  readonly count: bigint
  readonly completed: bigint
  readonly failed: bigint
  readonly amount: Prisma.Decimal
  readonly points: Prisma.Decimal
  readonly movesPoints: boolean
  /** Measures of amounts; undefined where they were not selected, null where nothing was carried out. */
  readonly max?: Prisma.Decimal | null
  readonly p50?: Prisma.Decimal | null
  readonly p95?: Prisma.Decimal | null
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
  readonly average: Money | null
  readonly max: Money | null
  readonly p50: Money | null
  readonly p95: Money | null
  readonly customers: number
  readonly settledP50Ms: number | null
  readonly settledP95Ms: number | null
}

const total = (rows: readonly SumRow[], field: 'count' | 'completed' | 'failed') =>
  rows.reduce((sum, row) => sum + Number(row[field]), 0)

const pointsOf = (rows: readonly SumRow[]): Decimal | null => {
  if (!rows.some(row => row.movesPoints)) return null
  return rows.reduce((sum, { points }) => sum.plus(toDecimal(String(points))), toDecimal(0))
}

const inCurrency = (rows: readonly SumRow[]) => rows.filter(({ currency }) => currency !== '')

const amountsOf = (rows: readonly SumRow[]): Money[] =>
  inCurrency(rows).map(({ amount, currency }) => ({ value: toDecimal(String(amount)), currency }))

/** Average of what was carried out, as an amount of its currency can be written. */
const averageOf = ({ amount, completed, currency }: SumRow): Decimal | null =>
  completed === 0n
    ? null
    : toDecimal(String(amount))
        .div(String(completed))
        .toDecimalPlaces(currencyDecimals(currency), Decimal.ROUND_HALF_UP)

const decimalOf = (value: Prisma.Decimal | null | undefined) =>
  value == null ? null : toDecimal(String(value))

/** Measure of the money of a row; amounts of several currencies have none together. */
const measureOf = (rows: readonly SumRow[], measure: (row: SumRow) => Decimal | null): Money | null => {
  const [row, ...others] = inCurrency(rows)
  const value = row && others.length === 0 ? measure(row) : null
  return value && { value, currency: row!.currency }
}

const measuresOf = (rows: readonly SumRow[]) => {
  const { customers, settledP50, settledP95 } = rows[0]!
  return {
    average: measureOf(rows, averageOf),
    max: measureOf(rows, row => decimalOf(row.max)),
    p50: measureOf(rows, row => decimalOf(row.p50)),
    p95: measureOf(rows, row => decimalOf(row.p95)),
    customers: Number(customers ?? 0),
    settledP50Ms: settledP50 == null ? null : Number(settledP50),
    settledP95Ms: settledP95 == null ? null : Number(settledP95),
  }
}

const toSummary = (rows: readonly SumRow[], byCurrency: boolean): SummaryRow => {
  const { period, kind, outcome, channel, merchant, clientId, reason, currency } = rows[0]!
  const { customerAccountNumber, category, product, paymentMethod } = rows[0]!
  return {
    ...{ period, kind, outcome, channel: channel || null, merchant: merchant || null, clientId },
    ...{ reason: reason || null, category: category || null, product: product || null },
    customerAccountNumber: customerAccountNumber || null,
    paymentMethod: paymentMethod || null,
    currency: byCurrency ? currency || null : null,
    count: total(rows, 'count'),
    completed: total(rows, 'completed'),
    failed: total(rows, 'failed'),
    amounts: amountsOf(rows),
    points: pointsOf(rows),
    ...measuresOf(rows),
  }
}

/** Makes the rows of a summary, in the order of the database's rows: those of one `place` are one. */
export function toSummaries(
  rows: readonly (SumRow & { readonly place: bigint })[],
  groupBy: readonly SummaryGroup[],
): SummaryRow[] {
  const byCurrency = groupBy.includes('CURRENCY')
  return [...Map.groupBy(rows, row => row.place).values()].map(group => toSummary(group, byCurrency))
}
