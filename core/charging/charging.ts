/** The port to charging systems as the services see them, and the choice of a system for each service, made at start. */

import { type CommitNotifier, createCommitNotifier } from '../async/worker.ts'
import type { Statements } from '../data/db.ts'
import type { Decimal } from '../values/money.ts'

/** The balance of an account (`dues`), or of a number. */
export type BalanceKind = 'dues' | 'prepaid' | 'points'

/** The charge of a kind of transaction, as its `kind.ts` declares it. */
export interface Charge {
  /** The charging system's name for it, e.g. `payBill`. */
  readonly operation: string
  /** The balance it moves by the amount or the points of a transaction, and whether up or down; absent if none. */
  readonly moves?: { readonly balance: BalanceKind; readonly direction: 'up' | 'down' }
  /** The line that the mobile number must be; absent where it need not be one of the operator's. */
  readonly line?: 'active' | 'prepaid'
  /** The state that the account must have; absent where any will do. */
  readonly account?: 'open'
}

/** The order to the charging system for one transaction. */
export interface ChargeOrder extends Charge {
  /** Also the idempotency key: an order with the same id is applied once, however often it is posted. */
  readonly transactionId: string
  readonly accountNumber?: string
  /** Digits with country code. */
  readonly mobileNumber?: string
  readonly currency?: string
  readonly amount?: Decimal
  readonly points?: Decimal
  /** Place in a trace, which the system may continue. */
  readonly trace?: string | undefined
  /** After this time the order must not be carried out any more. */
  readonly expiresAt?: Date
}

/**
 * The result of an order: `done`, or the reason why not: `declined` by a rule (funds), `invalid` for a fault of the order,
 * `failed` for one of the system, `expired` too late, `cancelled` on request.
 */
export type ChargeResult =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'declined' | 'failed' | 'expired' | 'cancelled' | 'invalid'; readonly reason: string }

/** A charging system in the same database: what it moves commits with the status. */
export interface EmbeddedCharging {
  readonly embedded: true
  /** Applies each order exactly once through `tx`; the results are in the orders' sequence. */
  post(tx: Statements, orders: readonly ChargeOrder[]): Promise<readonly ChargeResult[]>
  /** Takes an order back that was carried out, exactly once; `done` says that it was. Absent where nothing can be taken back. */
  reverse?(tx: Statements, order: ChargeOrder): Promise<ChargeResult>
}

/** The report of an outside system on an order: its result, or that it holds the order and the result will follow. */
export type ChargeProgress =
  | ChargeResult
  | { readonly outcome: 'pending'; readonly isReserved?: boolean; readonly reason?: string }

/** Receives results that come by themselves (a callback, a delivery receipt); resolves once the result is committed. */
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
  /** The most orders of a kind that may be in flight at once, of one owner never more than one; 32 when absent. */
  readonly parallel?: number
  /** The deadline of a call in milliseconds: it is aborted then, and its outcome unknown; 20,000 when absent. */
  readonly deadlineMs?: number
  /** The reason why it is not called at the moment (its circuit breaker is open, no bind is up); undefined while it may be. */
  unavailable(): string | undefined
  /**
   * The warning for operators, also while a single order probes whether the system is back; that of `unavailable` where
   * absent.
   */
  warning?(): string | undefined
  /** Since when that warning holds, where the system knows. */
  warningSince?(): Date | undefined
  /** Sends an order, or the same again. @throws what leaves the outcome unknown. */
  submit(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress>
  /** The state of an order; undefined if it never arrived there. Absent where the system cannot be asked. @throws as `submit`. */
  inquire?(order: ChargeOrder, signal: AbortSignal): Promise<ChargeProgress | undefined>
  /**
   * Has a reserved order carried out, or the same again: called once `reserved` is committed. Absent where the system does
   * so by itself. @throws as `submit`.
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

/** The fault of an outside system. */
export interface ChargingFault {
  /** The system's name, e.g. `smpp`. */
  readonly system: string
  readonly reason: string
  readonly since?: Date
}

export interface Charging {
  /** The system that carries out what this service posts, the same each time. */
  for(kind: { readonly service: string }): ChargingSystem
  /** The faults of outside systems at the moment; empty while all is well. */
  faults(): ChargingFault[]
  /** Notified when an outside system has reported on an order in this process, by other ways than its connector. */
  readonly reported: CommitNotifier
}

/** The fault of a connector at the moment, for operators. */
export const faultOf = (connector: ChargingConnector): string | undefined =>
  connector.warning ? connector.warning() : connector.unavailable()

/**
 * A choice by the services' names.
 * @param others stands behind those that are not named.
 */
export const byService = (
  systems: ReadonlyMap<string, ChargingSystem>,
  others: ChargingSystem,
): Charging => ({
  for: ({ service }) => systems.get(service) ?? others,
  faults: () =>
    [...new Set([...systems.values(), others])].flatMap(system => {
      if (system.embedded) return []
      const reason = faultOf(system)
      return reason === undefined ? [] : [{ system: system.name, reason, since: system.warningSince?.() }]
    }),
  reported: createCommitNotifier(),
})

/** One system for all services. */
export const everywhere = (system: ChargingSystem): Charging => byService(new Map(), system)
