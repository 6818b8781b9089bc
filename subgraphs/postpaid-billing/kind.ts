/** Payments among the kinds of transaction (contract document 1, "Payment"). */
import type { TransactionKind } from '#core/transactions/kind.ts'

export const PAYMENT: TransactionKind = {
  name: 'PAYMENT',
  description: 'A postpaid bill payment.',
  typename: 'Payment',
  idField: 'paymentId',
  schema: 'postpaid',
  table: 'payment',
  path: '/postpaid-billing/v1/payments',
  createOperation: 'createPayment',
  service: 'postpaid-billing',
  bodyPath: 'paymentTransaction',
  callsWebhook: true,
  charge: { operation: 'payBill', moves: { balance: 'dues', direction: 'down' }, account: 'open' },
  initial: 'processing',
  transitions: {
    processing: ['succeeded', 'denied', 'reserved', 'cancelled'],
    reserved: ['succeeded', 'denied', 'cancelled'],
  },
  outcomes: {
    processing: 'PENDING',
    reserved: 'PENDING',
    succeeded: 'COMPLETED',
    denied: 'FAILED',
    cancelled: 'CANCELLED',
  },
  limit: { owner: 'accountNumber', measure: 'amount' },
  timeline: {
    code: 0,
    metaData: ['paymentInfo', 'paymentMetaData'],
    texts: [['paymentInfo', 'paymentInformation', 'description']],
    phrase: 'Payment of {money} on account {account}',
  },
}
