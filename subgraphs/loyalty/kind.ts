/** Rewards among the kinds of transaction (contract document 3, "Shared types"). */
import { POINTS_STATES } from '../shared/points/states.ts'
import type { TransactionKind } from '../shared/transactions/kind.ts'

export const REWARD: TransactionKind = {
  kind: 'REWARD',
  typename: 'Reward',
  idField: 'rewardId',
  schema: 'loyalty',
  table: 'reward',
  path: '/loyalty/v1/reward-points',
  service: 'loyalty',
  bodyPath: 'rewardTransaction',
  callsWebhook: true,
  ...POINTS_STATES,
}
