/** Redemptions of loyalty points: what REST and GraphQL call. */

import type { App } from '#core/context/app.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { REDEMPTION } from './kind.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'
import { validateRedemption } from './rules.ts'

/** A redemption as it stands in its table. */
export type RedemptionRow = TransactionRow<RedemptionTransaction>

/** What REST and GraphQL call; create is the contract's `POST /loyaltyredemption/v1/redemptions`. */
export type RedemptionService = TransactionService<RedemptionTransaction, CreateRedemption>

/** How a redemption is settled: the points of its number fall by what the redemption names, if they suffice. */
export const settlement: Settlement<RedemptionTransaction> = {
  kind: REDEMPTION,
  statusFor: {
    done: 'success',
    declined: 'declined',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    invalid: 'invalid',
  },
  heldAs: { pending: 'pending', reserved: 'pending' },
  done: 'The points were redeemed from the number',
}

/** Redemptions in this process. */
export const createRedemptionService = (
  app: App,
  store: TransactionStore<RedemptionTransaction>,
): RedemptionService =>
  createTransactionService(store, (caller, body) => validateRedemption(app, caller, body))
