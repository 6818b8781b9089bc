/** The rules of a ticket: an amount in a currency of the client's, for an active number, put on the bill. */

import { Faults } from '#core/errors/faults.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { throwRefusals } from '#core/transactions/post/refusals.ts'
import {
  activeLine,
  checkMoney,
  measuredFor,
  numberInContext,
  startTransaction,
} from '#core/transactions/post/validate.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { TICKET } from './kind.ts'
import type { CreateTicket, TicketTransaction } from './rest.ts'

export type Tickets = Transactions<TicketTransaction, CreateTicket>

const PATH = 'ticketTransaction'

/** @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's. */
export const validateTicket: Validate<CreateTicket> = async (
  app,
  caller,
  { ticketTransaction: ticket, webhook },
) => {
  const mobileNumber = numberInContext(app, caller, `${PATH}.mobileNumber`, ticket.mobileNumber)
  const started = startTransaction(app, caller, { ...ticket, webhook })
  const faults = new Faults()
  const money = checkMoney(faults, PATH, ticket, caller.principal.limits)
  await throwRefusals(app, TICKET, faults, { ...measuredFor(caller), ...money, mobileNumber })
  const { accountNumber } = await activeLine(app, `${PATH}.mobileNumber`, mobileNumber)
  return { ...started, ...money, accountNumber, mobileNumber, body: ticket }
}

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
