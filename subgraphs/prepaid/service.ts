/** Recharges: what REST and GraphQL call. */

import type { App } from '#core/context/app.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { RECHARGE } from './kind.ts'
import type { CreateRecharge, RechargeTransaction } from './rest.generated.ts'
import { validateRecharge } from './rules.ts'

/** A recharge as it stands in its table. */
export type RechargeRow = TransactionRow<RechargeTransaction>

/** What REST and GraphQL call; create is the contract's `POST /prepaid/v1/recharges`. */
export type RechargeService = TransactionService<RechargeTransaction, CreateRecharge>

/** How a recharge is settled: the prepaid balance of its number rises by the amount. */
export const settlement: Settlement<RechargeTransaction> = {
  kind: RECHARGE,
  statusFor: {
    done: 'succeeded',
    declined: 'denied',
    failed: 'failed',
    expired: 'failed',
    cancelled: 'failed',
    invalid: 'failed',
  },
  done: 'The amount was added to the prepaid balance',
}

/** Recharges in this process. */
export const createRechargeService = (
  app: App,
  store: TransactionStore<RechargeTransaction>,
): RechargeService => createTransactionService(store, (caller, body) => validateRecharge(app, caller, body))
