/** REST: each operation of `parking.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { TICKET } from './kind.ts'
import type { Ticket, TicketTransaction } from './rest.ts'

const toTicket = (_: App, caller: Caller, row: ShownRow<TicketTransaction>): Ticket => ({
  ticketId: row.id,
  ticketTransaction: row.body,
  transactionOperationStatus: row.status as Ticket['transactionOperationStatus'],
  ...webhookEcho(caller, row),
})

export const operations = transactionOperations(TICKET, toTicket)
