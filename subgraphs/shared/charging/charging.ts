/** The charging system as the services see it: a port. What stands behind it is chosen at start. */
import type { Transaction } from '../data/db.ts'
import type { Decimal } from '../values/decimal.ts'

/** What is kept of an account (`dues`) or of a number. */
export type BalanceKind = 'dues' | 'prepaid' | 'points'

/** What a kind of transaction asks of the charging system; each says so in its `kind.ts`. */
export interface Charge {
  /** The charging system's name for it, e.g. `payBill`. */
  readonly operation: string
  /** The balance it moves by the amount or the points of a transaction, and whether up or down; absent if none. */
  readonly moves?: { readonly balance: BalanceKind; readonly direction: 'up' | 'down' }
  /** Which line the mobile number must be for it; absent where it need not be one of the operator's. */
  readonly line?: 'active' | 'prepaid'
}

/** What is asked of the charging system for one transaction. */
export interface ChargeOrder extends Charge {
  /** Also the idempotency key: an order with the same id is applied once, however often it is posted. */
  readonly transactionId: string
  readonly accountNumber?: string
  /** Digits with country code. */
  readonly mobileNumber?: string
  readonly currency?: string
  readonly amount?: Decimal
  readonly points?: Decimal
  /** After this time the order must not be carried out any more. */
  readonly expiresAt?: Date
}

/** `done`, or why not: `declined` by a rule (funds), `failed` for a fault of the order, `expired` too late. */
export type ChargeResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'declined' | 'failed' | 'expired'; readonly reason: string }

export interface ChargingSystem {
  /**
   * Applies each order exactly once and says what became of it, in the orders' order. A system in the same database
   * writes through `tx`, so that the movement and the status commit together.
   */
  post(tx: Transaction, orders: readonly ChargeOrder[]): Promise<readonly ChargeResult[]>
}
