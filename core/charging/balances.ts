/** Balances of the ledger: the dues of accounts, and the money and points of numbers. */
import type { Reader } from '../data/db.ts'
import { keysTable } from '../data/sql.ts'
import { Decimal, toDecimal } from '../values/decimal.ts'
import type { BalanceKind } from './charging.ts'

/** The customer type of GSM prepaid (contract document 1, "Customer": customerType). */
export const PREPAID_CUSTOMER_TYPE = 14

/** The currency of dues and prepaid balances (contract document 1, "Customer": totalDues). */
export const HOME_CURRENCY = 'OMR'

/** A balance's name: `dues` of an account, `prepaid` and `points` of a number; points have no currency. */
export interface BalanceKey {
  readonly kind: BalanceKind
  readonly owner: string
  readonly currency: string
}

/** A balance as it is read from `ledger.balance`. */
export interface BalanceRow extends BalanceKey {
  readonly amount: { toString(): string }
}

/** The name as one text, by which balances are looked up in memory. */
export const balanceText = ({ kind, owner, currency }: BalanceKey) => `${kind} ${currency} ${owner}`

/** The balances in the keys' order; one that was never moved is zero. */
export async function readBalances(db: Reader, keys: readonly BalanceKey[]): Promise<Decimal[]> {
  const rows = await db.$queryRaw<BalanceRow[]>`
    SELECT kind, holder AS owner, currency, amount
    FROM ${keysTable(keys.map(key => key.owner))} asked JOIN ledger.balance ON holder = asked.key`
  const amounts = new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
  return keys.map(key => amounts.get(balanceText(key)) ?? new Decimal(0))
}

/** The dues of an account; below zero they are a credit. */
export const duesOf = async (db: Reader, accountNumber: string): Promise<Decimal> =>
  (await readBalances(db, [duesKey(accountNumber)]))[0]!

/** The key of a prepaid number's main balance. */
export const prepaidKey = (mobileNumber: string): BalanceKey => ({
  kind: 'prepaid',
  owner: mobileNumber,
  currency: HOME_CURRENCY,
})

/** The key of a number's loyalty points. */
export const pointsKey = (mobileNumber: string): BalanceKey => ({
  kind: 'points',
  owner: mobileNumber,
  currency: '',
})

/** The key of an account's dues. */
export const duesKey = (accountNumber: string): BalanceKey => ({
  kind: 'dues',
  owner: accountNumber,
  currency: HOME_CURRENCY,
})
