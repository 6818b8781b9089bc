/** Sums of a statement, by currency, kind and outcome: exact, and kept as texts. */
import type { Prisma } from '#core/data/db.ts'
import { Decimal, toDecimal } from '#core/values/money.ts'
import type { StatementRow } from './rows.ts'

/** Count and sums of a currency, kind and outcome, exact. */
export interface StoredSum {
  readonly currency: string | null
  readonly kind: string
  readonly outcome: string
  readonly count: number
  readonly amount: string | null
  readonly points: string | null
}

const plus = (sum: Decimal | null, value: Prisma.Decimal | null): Decimal | null =>
  value === null ? sum : (sum ?? new Decimal(0)).plus(toDecimal(String(value)))

/** Adds rows up as they are written. */
export class Sums {
  readonly #byGroup = new Map<
    string,
    { row: StatementRow; count: number; amount: Decimal | null; points: Decimal | null }
  >()

  add(row: StatementRow): void {
    const group = JSON.stringify([row.currency ?? '', row.kind, row.outcome])
    const sum = this.#byGroup.get(group) ?? { row, count: 0, amount: null, points: null }
    this.#byGroup.set(group, {
      row,
      count: sum.count + 1,
      amount: plus(sum.amount, row.amount),
      points: plus(sum.points, row.points),
    })
  }

  /** In the order of currency, kind and outcome. */
  get stored(): StoredSum[] {
    return [...this.#byGroup]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { row, count, amount, points }]) => ({
        currency: row.currency,
        kind: row.kind,
        outcome: row.outcome,
        count,
        amount: amount?.toString() ?? null,
        points: points?.toString() ?? null,
      }))
  }
}
