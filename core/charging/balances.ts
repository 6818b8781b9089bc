/** Reading balances: what an account owes, what a number has in money and points. */
import type { Reader } from '../data/db.ts'
import { keysTable } from '../data/sql.ts'
import { Decimal, toDecimal } from '../values/decimal.ts'
import type { BalanceKind } from './charging.ts'

/** The currency of dues and prepaid balances (contract document 1, "Customer": totalDues). */
export const HOME_CURRENCY = 'OMR'

/** A balance's name: `dues` of an account, `prepaid` and `points` of a number; points have no currency. */
export interface BalanceKey {
  readonly kind: BalanceKind
  readonly holder: string
  readonly currency: string
}

/** A balance as it is read from `ledger.balance`. */
export interface BalanceRow extends BalanceKey {
  readonly amount: { toString(): string }
}

/** The name as one text, by which balances are looked up in memory. */
export const balanceText = ({ kind, holder, currency }: BalanceKey) => `${kind} ${currency} ${holder}`

/** The balances in the keys' order; one that was never moved is zero. */
export async function readBalances(db: Reader, keys: readonly BalanceKey[]): Promise<Decimal[]> {
  const rows = await db.$queryRaw<BalanceRow[]>`
    SELECT kind, holder, currency, amount
    FROM ${keysTable(keys.map(key => key.holder))} asked JOIN ledger.balance ON holder = asked.key`
  const amounts = new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
  return keys.map(key => amounts.get(balanceText(key)) ?? new Decimal(0))
}

/** What the account owes; below zero it is a credit. */
export const duesOf = async (db: Reader, accountNumber: string): Promise<Decimal> =>
  (await readBalances(db, [duesKey(accountNumber)]))[0]!

/** A prepaid number's main balance. */
export const prepaidKey = (mobileNumber: string): BalanceKey => ({
  kind: 'prepaid',
  holder: mobileNumber,
  currency: HOME_CURRENCY,
})

/** A number's loyalty points. */
export const pointsKey = (mobileNumber: string): BalanceKey => ({
  kind: 'points',
  holder: mobileNumber,
  currency: '',
})

export const duesKey = (accountNumber: string): BalanceKey => ({
  kind: 'dues',
  holder: accountNumber,
  currency: HOME_CURRENCY,
})
