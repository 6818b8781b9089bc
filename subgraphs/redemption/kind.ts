/** Redemptions among the kinds of transaction (contract document 3, part B, "TransactionOperationStatus"). */

import type { TransactionKind } from '../shared/transactions/kind.ts'
import { POINTS_STATES } from '../shared/transactions/points-states.ts'

export const REDEMPTION: TransactionKind = {
  name: 'REDEMPTION',
  typename: 'Redemption',
  idField: 'redemptionId',
  schema: 'redemption',
  table: 'redemption',
  path: '/loyaltyredemption/v1/redemptions',
  service: 'redemption',
  bodyPath: 'redemptionTransaction',
  callsWebhook: true,
  ...POINTS_STATES,
}
