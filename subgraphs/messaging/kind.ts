/** Messages among the kinds of transaction (contract document 2, part B, "CreatedSendSingleSms"). */
import type { TransactionKind } from '../shared/transactions/kind.ts'

export const MESSAGE: TransactionKind = {
  name: 'MESSAGE',
  typename: 'Message',
  idField: 'otlTransactionId',
  schema: 'messaging',
  table: 'message',
  // Delivery reports are not implemented (contract document 2, part B).
  service: 'messaging',
  bodyPath: '',
  callsWebhook: false,
  initial: 'accepted',
  transitions: {
    accepted: ['sent', 'expired', 'failed', 'error'],
  },
  outcomes: {
    accepted: 'PENDING',
    sent: 'COMPLETED',
    expired: 'FAILED',
    failed: 'FAILED',
    error: 'FAILED',
  },
}
