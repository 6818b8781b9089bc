/** What may be posted for whom: the rules of a redemption (contract document 3, docs/decisions.md). */
import type { App } from '../shared/app.ts'
import type { Caller } from '../shared/caller.ts'
import { draftPoints } from '../shared/points/draft.ts'
import type { Draft } from '../shared/transactions/decide.ts'
import type { Decimal } from '../shared/values/decimal.ts'
import { checkPoints } from '../shared/values/money.ts'
import { nothingToRedeem } from './errors.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'

const PATH = 'redemptionTransaction'
const INFORMATION = `${PATH}.redemptionInformation`

/** The contract lets the information be absent; then there is nothing to post (docs/decisions.md, "Values"). */
const pointsOf = ({ redemptionInformation }: RedemptionTransaction): Decimal => {
  if (!redemptionInformation) throw nothingToRedeem(INFORMATION)
  return checkPoints(`${INFORMATION}.redemptionPoints`, redemptionInformation.redemptionPoints)
}

/**
 * Checks a redemption against everything but other redemptions (those are met under the book's lock).
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export const draftRedemption = (app: App, caller: Caller, body: CreateRedemption): Promise<Draft> =>
  draftPoints(app, caller, {
    path: PATH,
    transaction: body.redemptionTransaction,
    webhook: body.webhook,
    pointsOf,
  })
