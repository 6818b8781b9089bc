/** Redemptions among the kinds of transaction (contract document 3, "Shared types"). */
import { POINTS_STATES } from '../shared/points/states.ts'
import type { TransactionKind } from '../shared/transactions/kind.ts'

export const REDEMPTION: TransactionKind = {
  kind: 'REDEMPTION',
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
