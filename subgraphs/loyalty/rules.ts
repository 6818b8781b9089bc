/** What may be posted for whom: the rules of a reward (contract document 3, docs/decisions.md). */

import type { Caller } from '#core/access/caller.ts'
import type { App } from '#core/context/app.ts'
import type { NewTransaction } from '#core/transactions/new-transaction.ts'
import { validatePoints } from '#core/transactions/points.ts'
import type { Decimal } from '#core/values/decimal.ts'
import { checkPoints } from '#core/values/money.ts'
import { nothingToAdd } from './errors.ts'
import { REWARD } from './kind.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'

const PATH = 'rewardTransaction'
const INFORMATION = `${PATH}.rewardInformation`
const POINTS = `${INFORMATION}.rewardPoints`

/** The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values"). */
const pointsOf = ({ rewardInformation }: RewardTransaction): Decimal => {
  if (!rewardInformation) throw nothingToAdd(INFORMATION)
  return checkPoints(POINTS, rewardInformation.rewardPoints)
}

/**
 * Checks a reward against everything but other rewards (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateReward = (app: App, caller: Caller, body: CreateReward): Promise<NewTransaction> =>
  validatePoints(app, caller, {
    kind: REWARD,
    path: PATH,
    transaction: body.rewardTransaction,
    webhook: body.webhook,
    pointsAt: POINTS,
    pointsOf,
  })
