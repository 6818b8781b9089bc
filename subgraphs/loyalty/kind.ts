/** Rewards among the kinds of transaction (contract document 3, part A, "TransactionOperationStatus"). */

import { POINTS_STATES, type TransactionKind } from '#core/transactions/kind.ts'

export const REWARD: TransactionKind = {
  name: 'REWARD',
  description: 'A reward of loyalty points.',
  typename: 'Reward',
  idField: 'rewardId',
  schema: 'loyalty',
  table: 'reward',
  path: '/loyalty/v1/reward-points',
  createOperation: 'createReward',
  service: 'loyalty',
  bodyPath: 'rewardTransaction',
  callsWebhook: true,
  charge: { operation: 'addPoints', moves: { balance: 'points', direction: 'up' }, line: 'active' },
  ...POINTS_STATES,
  timeline: {
    code: 3,
    metaData: ['rewardMetaData'],
    texts: [['rewardInformation', 'description']],
    phrase: 'Reward of {points} to {number}',
  },
}
