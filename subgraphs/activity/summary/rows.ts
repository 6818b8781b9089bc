/** What the database adds up, per currency, put together to the rows of a summary. */
import type { Prisma } from '#core/data/db.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { type Decimal, toDecimal } from '#core/values/decimal.ts'

export type SummaryGroup = 'KIND' | 'OUTCOME' | 'CHANNEL' | 'MERCHANT' | 'CURRENCY' | 'PARTNER' | 'REASON'

/** What a row of a summary tells apart; null where it is not asked for, or not there. */
interface Groups {
  readonly kind: string | null
  readonly outcome: Outcome | null
  readonly channel: string | null
  readonly merchant: string | null
  readonly currency: string | null
  readonly clientId: string | null
  readonly reason: string | null
}

/** A row as the database gives it: always one currency, empty for what moves no money. */
export interface SumRow extends Omit<Groups, 'currency'> {
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

/** The rows of a summary, in the order in which the database gave them. */
export function toSummaries(rows: readonly SumRow[], groupBy: readonly SummaryGroup[]): SummaryRow[] {
  const byCurrency = groupBy.includes('CURRENCY')
  const groupOf = ({ period, kind, outcome, channel, merchant, clientId, reason, currency }: SumRow) =>
    JSON.stringify([period, kind, outcome, channel, merchant, clientId, reason, byCurrency && currency])
  return [...Map.groupBy(rows, groupOf).values()].map(group => toSummary(group, byCurrency))
}
