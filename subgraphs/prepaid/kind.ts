/** Recharges among the kinds of transaction (contract document 2, part A, "Recharge"). */
import type { TransactionKind } from '#core/transactions/kind.ts'

export const RECHARGE: TransactionKind = {
  name: 'RECHARGE',
  description: 'A prepaid recharge.',
  typename: 'Recharge',
  idField: 'rechargeId',
  schema: 'prepaid',
  table: 'recharge',
  path: '/prepaid/v1/recharges',
  createOperation: 'createRecharge',
  service: 'prepaid',
  bodyPath: 'rechargeTransaction',
  callsWebhook: true,
  charge: { operation: 'recharge', moves: { balance: 'prepaid', direction: 'up' }, line: 'prepaid' },
  initial: 'processing',
  transitions: {
    processing: ['succeeded', 'denied', 'failed'],
  },
  outcomes: {
    processing: 'PENDING',
    succeeded: 'COMPLETED',
    denied: 'FAILED',
    failed: 'FAILED',
  },
  limit: { owner: 'mobileNumber', measure: 'amount' },
  timeline: {
    code: 1,
    metaData: ['rechargeInfo', 'rechargeMetaData'],
    texts: [
      ['rechargeInfo', 'rechargeInformation', 'description'],
      ['rechargeInfo', 'description'],
    ],
    phrase: 'Recharge of {money} for {number}',
  },
}
