/** Sums of a kind over months: how many transactions, and what was carried out. */
import type { Amount } from '../../i18n/format.ts'
import type { MonthRowFragment } from './months.generated.ts'
import type { TransactionKind } from './timeline.generated.ts'

export interface KindSums {
  readonly count: number
  /** Amounts that were carried out, one for each currency. */
  readonly amounts: readonly Amount[]
  readonly points: number
}

/** Adds up the rows of a kind. */
export function sumsOf(rows: readonly MonthRowFragment[], kind: TransactionKind): KindSums {
  const own = rows.filter(row => row.kind === kind)
  const byCurrency = new Map<string, number>()
  for (const { value, currency } of own.flatMap(({ amounts }) => amounts))
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + value)
  return {
    count: own.reduce((sum, { count }) => sum + count, 0),
    amounts: [...byCurrency].map(([currency, value]) => ({ currency, value })),
    points: own.reduce((sum, { points }) => sum + (points ?? 0), 0),
  }
}
