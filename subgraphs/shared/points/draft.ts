/** Posting points, whether they are added or taken: the rules of rewards and redemptions (contract document 3). */
import type { App } from '../app.ts'
import type { Caller } from '../caller.ts'
import type { Draft } from '../transactions/decide.ts'
import { startDraft } from '../transactions/draft.ts'
import { activeLine, numberInContext } from '../transactions/mobile-number.ts'
import type { Decimal } from '../values/decimal.ts'

interface PointsTransaction {
  clientCorrelatorId: string
  mobileNumber: string
  referenceCode?: string
}

export interface PointsRequest<Body extends PointsTransaction> {
  /** Where in the request the transaction stands, e.g. `rewardTransaction`. */
  readonly path: string
  readonly transaction: Body
  readonly webhook?: { notificationUrl: string; notificationAuthToken?: string }
  /** The points it names, checked. */
  pointsOf(transaction: Body): Decimal
}

/**
 * Checks a request against everything but other transactions (those are met under the book's lock).
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export async function draftPoints<Body extends PointsTransaction>(
  app: App,
  caller: Caller,
  { path, transaction, webhook, pointsOf }: PointsRequest<Body>,
): Promise<Draft> {
  const field = `${path}.mobileNumber`
  const mobileNumber = numberInContext(app, caller, field, transaction.mobileNumber)
  const draft = startDraft(app, caller, path, { ...transaction, webhook })
  const points = pointsOf(transaction)
  const { accountNumber } = await activeLine(app, field, mobileNumber)
  return { ...draft, points, accountNumber, mobileNumber, body: transaction }
}
