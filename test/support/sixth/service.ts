/** Parking tickets: what REST and GraphQL call. */

import type { App } from '#core/context/app.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { TICKET } from './kind.ts'
import type { CreateTicket, TicketTransaction } from './rest.ts'
import { validateTicket } from './rules.ts'

export type TicketRow = TransactionRow<TicketTransaction>

export type TicketService = TransactionService<TicketTransaction, CreateTicket>

/** How a ticket is settled: the dues of the number's account rise by the amount. */
export const settlement: Settlement<TicketTransaction> = {
  kind: TICKET,
  statusFor: {
    done: 'paid',
    declined: 'refused',
    failed: 'refused',
    expired: 'refused',
    cancelled: 'refused',
    invalid: 'refused',
  },
  done: 'The ticket was put on the bill',
}

export const createTicketService = (app: App, store: TransactionStore<TicketTransaction>): TicketService =>
  createTransactionService(store, (caller, body) => validateTicket(app, caller, body))
