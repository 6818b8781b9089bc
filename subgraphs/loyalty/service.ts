/** Rewards of loyalty points: what REST and GraphQL call. */

import type { App } from '#core/context/app.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { REWARD } from './kind.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'
import { validateReward } from './rules.ts'

/** A reward as it stands in its table. */
export type RewardRow = TransactionRow<RewardTransaction>

/** What REST and GraphQL call; create is the contract's `POST /loyalty/v1/reward-points`. */
export type RewardService = TransactionService<RewardTransaction, CreateReward>

/** How a reward is settled: the points of its number rise by what the reward names. */
export const settlement: Settlement<RewardTransaction> = {
  kind: REWARD,
  statusFor: {
    done: 'success',
    declined: 'declined',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    invalid: 'invalid',
  },
  heldAs: { pending: 'pending', reserved: 'pending' },
  done: 'The points were added to the number',
}

/** Rewards in this process. */
export const createRewardService = (app: App, store: TransactionStore<RewardTransaction>): RewardService =>
  createTransactionService(store, (caller, body) => validateReward(app, caller, body))
