/** Parking tickets among the kinds of transaction: a ticket is put on the bill of the number that buys it. */
import type { TransactionKind } from '#core/transactions/kind.ts'

export const TICKET: TransactionKind = {
  name: 'TICKET',
  description: 'A parking ticket.',
  typename: 'Ticket',
  idField: 'ticketId',
  schema: 'parking',
  table: 'ticket',
  path: '/parking/v1/tickets',
  createOperation: 'createTicket',
  service: 'parking',
  bodyPath: 'ticketTransaction',
  callsWebhook: true,
  charge: { operation: 'payParking', moves: { balance: 'dues', direction: 'up' }, line: 'active' },
  initial: 'processing',
  transitions: {
    processing: ['paid', 'refused'],
  },
  outcomes: {
    processing: 'PENDING',
    paid: 'COMPLETED',
    refused: 'FAILED',
  },
  limit: { owner: 'mobileNumber', measure: 'amount' },
  timeline: { code: 5, texts: [['description']], phrase: 'Parking ticket of {money} for {number}' },
}
