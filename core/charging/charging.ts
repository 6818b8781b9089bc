/** The charging system as the services see it: a port. What stands behind it is chosen at start, for each kind of transaction. */
import type { Statements } from '../data/db.ts'
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
  /** Which account it may be for; absent where any will do. */
  readonly account?: 'open'
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

/**
 * What an order has come to: `done`, or why not: `declined` by a rule (funds), `invalid` for a fault of
 * the order, `failed` for one of the system, `expired` too late, `cancelled` by who may.
 */
export type ChargeResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'declined' | 'failed' | 'expired' | 'cancelled' | 'invalid'; readonly reason: string }

/** A charging system in the same database: what it moves commits with the status. */
export interface EmbeddedCharging {
  readonly embedded: true
  /** Applies each order exactly once through `tx` and says what became of it, in the orders' order. */
  post(tx: Statements, orders: readonly ChargeOrder[]): Promise<readonly ChargeResult[]>
  /** Takes an order back that was carried out, exactly once; `done` says that it was. Absent where nothing can be taken back. */
  reverse?(tx: Statements, order: ChargeOrder): Promise<ChargeResult>
}

/** What an outside system says of an order: its result, or that it holds the order and the result will follow. */
export type ChargeProgress =
  | ChargeResult
  | { readonly outcome: 'pending'; readonly isReserved?: boolean; readonly reason?: string }

/** Told of an order whose result came by itself (a callback, a delivery receipt). Resolves once it is noted for good. */
export type ChargeListener = (transactionId: string, progress: ChargeProgress) => Promise<void>

/**
 * Thrown by a connector where it is certain that nothing was sent (no connection at the moment, refused for its rate):
 * the order is as it was before, and is sent a little later.
 */
export class NotSentError extends Error {
  /** How long to wait at least, in milliseconds, where the system said so. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'NotSentError'
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * A charging system outside of the database. It is called outside of any transaction, and a call that throws leaves the
 * outcome unknown: the order is asked about, or sent again under the same key, until it is known.
 */
export interface ChargingConnector {
  readonly embedded: false
  /** For log lines, metrics and readiness, e.g. `charging` or `smpp`. */
  readonly name: string
  /** How many orders of a kind may be under way at once, of one owner never more than one; 32 when absent. */
  readonly parallel?: number
  /** How long a call may take, in milliseconds: it is aborted then, and its outcome unknown; 20,000 when absent. */
  readonly deadlineMs?: number
  /** Why it is not called at the moment (its circuit breaker is open, no bind is up); undefined while it may be. */
  unavailable(): string | undefined
  /**
   * What whoever runs it should know, also while a single order finds out whether the system is back; as `unavailable`
   * where absent.
   */
  warning?(): string | undefined
  /** Sends an order, or the same again. @throws what leaves the outcome unknown. */
  submit(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress>
  /** What became of an order; undefined if it never arrived there. Absent where the system cannot be asked. @throws as `submit`. */
  inquire?(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress | undefined>
  /**
   * Has an order carried out that is reserved, or again the same: called once `reserved` is noted for good. Absent where
   * the system does so by itself. @throws as `submit`.
   */
  capture?(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress>
  /** Gives up an order that is pending. @throws as `submit`. */
  cancel?(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress>
  /** Takes an order back that was carried out; `done` says that it was taken back. @throws as `submit`. */
  reverse?(order: ChargeOrder, signal: AbortSignal): Promise<ChargeResult>
  /** Begins to listen for results that come by themselves. */
  start(listener: ChargeListener): Promise<void>
  stop(): Promise<void>
}

export type ChargingSystem = EmbeddedCharging | ChargingConnector
