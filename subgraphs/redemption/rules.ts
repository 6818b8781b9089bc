/** The rules of a redemption: what may be posted for which number, and how it is settled (contract document 3, docs/decisions.md). */

import { invalidField } from '#core/errors/catalogue.ts'
import { POINTS_SETTLEMENT, type Settlement } from '#core/transactions/kind.ts'
import { validatePoints } from '#core/transactions/post/points.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { checkPoints } from '#core/values/money.ts'
import { REDEMPTION } from './kind.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'

/** The redemptions as REST and the graph call them. */
export type Redemptions = Transactions<RedemptionTransaction, CreateRedemption>

const PATH = 'redemptionTransaction'
const INFORMATION = `${PATH}.redemptionInformation`
const POINTS = `${INFORMATION}.redemptionPoints`

/**
 * Checks a redemption against everything but other redemptions (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateRedemption: Validate<CreateRedemption> = (app, caller, body) =>
  validatePoints(app, caller, {
    kind: REDEMPTION,
    path: PATH,
    transaction: body.redemptionTransaction,
    webhook: body.webhook,
    pointsAt: POINTS,
    pointsOf({ redemptionInformation }) {
      // The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values").
      if (!redemptionInformation)
        throw invalidField(INFORMATION, 'NOTHING_TO_POST', 'is required: it says how many points to redeem')
      return checkPoints(POINTS, redemptionInformation.redemptionPoints)
    },
  })

/** Settlement of a redemption: the points of its number fall by the points of the redemption, if they suffice. */
export const settlement: Settlement<RedemptionTransaction> = {
  kind: REDEMPTION,
  ...POINTS_SETTLEMENT,
  done: 'The points were redeemed from the number',
}
