/** What may be bought: an amount in a currency of the client's, for an active number. */

import type { Caller } from '#core/access/caller.ts'
import type { App } from '#core/context/app.ts'
import { Faults } from '#core/errors/faults.ts'
import { activeLine, numberInContext } from '#core/transactions/mobile-number.ts'
import {
  checkMoney,
  measuredFor,
  type NewTransaction,
  startTransaction,
} from '#core/transactions/new-transaction.ts'
import { throwRefusals } from '#core/transactions/refusals.ts'
import { TICKET } from './kind.ts'
import type { CreateTicket } from './rest.ts'

const PATH = 'ticketTransaction'

/** @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's. */
export const validateTicket = async (
  app: App,
  caller: Caller,
  { ticketTransaction: ticket, webhook }: CreateTicket,
): Promise<NewTransaction> => {
  const mobileNumber = numberInContext(app, caller, `${PATH}.mobileNumber`, ticket.mobileNumber)
  const started = startTransaction(app, caller, { ...ticket, webhook })
  const faults = new Faults()
  const money = checkMoney(faults, PATH, ticket, caller.principal.limits)
  await throwRefusals(app, TICKET, faults, { ...measuredFor(caller), ...money, mobileNumber })
  const { accountNumber } = await activeLine(app, `${PATH}.mobileNumber`, mobileNumber)
  return { ...started, ...money, accountNumber, mobileNumber, body: ticket }
}
