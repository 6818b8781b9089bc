/** What may be posted for whom: the rules of a redemption (contract document 3, docs/decisions.md). */

import type { Caller } from '#core/access/caller.ts'
import type { App } from '#core/context/app.ts'
import type { NewTransaction } from '#core/transactions/new-transaction.ts'
import { validatePoints } from '#core/transactions/points.ts'
import type { Decimal } from '#core/values/decimal.ts'
import { checkPoints } from '#core/values/money.ts'
import { nothingToRedeem } from './errors.ts'
import { REDEMPTION } from './kind.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'

const PATH = 'redemptionTransaction'
const INFORMATION = `${PATH}.redemptionInformation`
const POINTS = `${INFORMATION}.redemptionPoints`

/** The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values"). */
const pointsOf = ({ redemptionInformation }: RedemptionTransaction): Decimal => {
  if (!redemptionInformation) throw nothingToRedeem(INFORMATION)
  return checkPoints(POINTS, redemptionInformation.redemptionPoints)
}

/**
 * Checks a redemption against everything but other redemptions (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateRedemption = (
  app: App,
  caller: Caller,
  body: CreateRedemption,
): Promise<NewTransaction> =>
  validatePoints(app, caller, {
    kind: REDEMPTION,
    path: PATH,
    transaction: body.redemptionTransaction,
    webhook: body.webhook,
    pointsAt: POINTS,
    pointsOf,
  })
