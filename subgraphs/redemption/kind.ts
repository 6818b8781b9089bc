/** Redemptions among the kinds of transaction (contract document 3, part B, "TransactionOperationStatus"). */

import { POINTS_STATES, type TransactionKind } from '#core/transactions/kind.ts'

export const REDEMPTION: TransactionKind = {
  name: 'REDEMPTION',
  description: 'A redemption of loyalty points.',
  typename: 'Redemption',
  idField: 'redemptionId',
  schema: 'redemption',
  table: 'redemption',
  path: '/loyaltyredemption/v1/redemptions',
  createOperation: 'createRedemption',
  service: 'redemption',
  bodyPath: 'redemptionTransaction',
  callsWebhook: true,
  charge: { operation: 'redeemPoints', moves: { balance: 'points', direction: 'down' }, line: 'active' },
  ...POINTS_STATES,
  timeline: {
    code: 4,
    metaData: ['redemptionMetaData'],
    texts: [['redemptionInformation', 'description']],
    phrase: 'Redemption of {points} by {number}',
  },
}
