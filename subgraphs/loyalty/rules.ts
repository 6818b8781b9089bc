/** The rules of a reward: what may be posted for which number, and how it is settled (contract document 3, docs/decisions.md). */

import { invalidField } from '#core/errors/catalogue.ts'
import { POINTS_SETTLEMENT, type Settlement } from '#core/transactions/kind.ts'
import { validatePoints } from '#core/transactions/post/points.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { checkPoints } from '#core/values/money.ts'
import { REWARD } from './kind.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'

/** The rewards as REST and the graph call them. */
export type Rewards = Transactions<RewardTransaction, CreateReward>

const PATH = 'rewardTransaction'
const INFORMATION = `${PATH}.rewardInformation`
const POINTS = `${INFORMATION}.rewardPoints`

/**
 * Checks a reward against everything but other rewards (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateReward: Validate<CreateReward> = (app, caller, body) =>
  validatePoints(app, caller, {
    kind: REWARD,
    path: PATH,
    transaction: body.rewardTransaction,
    webhook: body.webhook,
    pointsAt: POINTS,
    pointsOf({ rewardInformation }) {
      // The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values").
      if (!rewardInformation)
        throw invalidField(INFORMATION, 'NOTHING_TO_POST', 'is required: it says how many points to add')
      return checkPoints(POINTS, rewardInformation.rewardPoints)
    },
  })

/** Settlement of a reward: the points of its number rise by the points of the reward. */
export const settlement: Settlement<RewardTransaction> = {
  kind: REWARD,
  ...POINTS_SETTLEMENT,
  done: 'The points were added to the number',
}
