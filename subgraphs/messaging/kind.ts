/** Messages among the kinds of transaction (contract document 2, part B, "CreatedSendSingleSms"). */
import type { TransactionKind } from '#core/transactions/kind.ts'

export const MESSAGE: TransactionKind = {
  name: 'MESSAGE',
  description: 'A single SMS.',
  typename: 'Message',
  idField: 'otlTransactionId',
  schema: 'messaging',
  table: 'message',
  createOperation: 'sendSms',
  service: 'messaging',
  bodyPath: '',
  // Delivery reports are not implemented (contract document 2, part B).
  callsWebhook: false,
  charge: { operation: 'sendSms' },
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
  // The text of a message is private.
  timeline: { code: 2, texts: [['sender']], phrase: 'SMS from {text} to {number}' },
}
