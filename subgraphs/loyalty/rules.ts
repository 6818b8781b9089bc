/** What may be posted for whom: the rules of a reward (contract document 3, docs/decisions.md). */
import type { App } from '../shared/app.ts'
import type { Caller } from '../shared/caller.ts'
import { draftPoints } from '../shared/points/draft.ts'
import type { Draft } from '../shared/transactions/decide.ts'
import type { Decimal } from '../shared/values/decimal.ts'
import { checkPoints } from '../shared/values/money.ts'
import { nothingToAdd } from './errors.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'

const PATH = 'rewardTransaction'
const INFORMATION = `${PATH}.rewardInformation`

/** The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values"). */
const pointsOf = ({ rewardInformation }: RewardTransaction): Decimal => {
  if (!rewardInformation) throw nothingToAdd(INFORMATION)
  return checkPoints(`${INFORMATION}.rewardPoints`, rewardInformation.rewardPoints)
}

/**
 * Checks a reward against everything but other rewards (those are met under the book's lock).
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export const draftReward = (app: App, caller: Caller, body: CreateReward): Promise<Draft> =>
  draftPoints(app, caller, {
    path: PATH,
    transaction: body.rewardTransaction,
    webhook: body.webhook,
    pointsOf,
  })
