/** Posting points, whether they are added or taken: the rules of rewards and redemptions (contract document 3). */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import type { LineRecord } from '#core/directory/directory.ts'
import { Faults } from '#core/errors/faults.ts'
import type { Decimal } from '../../values/money.ts'
import type { TransactionKind } from '../kind.ts'
import { throwRefusals } from './refusals.ts'
import {
  activeLine,
  measuredFor,
  type NewTransaction,
  numberInContext,
  startTransaction,
} from './validate.ts'

interface PointsTransaction {
  clientCorrelatorId: string
  mobileNumber?: string
  referenceCode?: string
}

export interface PointsRequest<Body extends PointsTransaction> {
  /** Where in the request the transaction stands, e.g. `rewardTransaction`. */
  readonly path: string
  readonly kind: TransactionKind
  readonly transaction: Body
  readonly webhook?: { notificationUrl: string; notificationAuthToken?: string }
  /** Where in the request the points stand. */
  readonly pointsAt: string
  /** The points it names, checked. */
  pointsOf(transaction: Body): Decimal
}

/**
 * Checks a request against everything but other transactions (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export async function validatePoints<Body extends PointsTransaction>(
  app: App,
  caller: Caller,
  { kind, path, transaction, webhook, pointsAt, pointsOf }: PointsRequest<Body>,
): Promise<NewTransaction> {
  const field = `${path}.mobileNumber`
  const faults = new Faults()
  const mobileNumber = faults.check(() => numberInContext(app, caller, field, transaction.mobileNumber))
  const started = faults.check(() => startTransaction(app, caller, { ...transaction, webhook }))
  const points = faults.check(() => pointsOf(transaction))
  const line = mobileNumber && (await faults.lookUp(() => activeLine(app, field, mobileNumber)))
  await throwRefusals(app, kind, faults, {
    ...measuredFor(caller),
    points,
    measuredAt: pointsAt,
    mobileNumber,
  })
  const { accountNumber } = line as LineRecord
  return { ...started!, points, measuredAt: pointsAt, accountNumber, mobileNumber, body: transaction }
}
