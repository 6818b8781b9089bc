/** The graph: each field of `parking.graphql` as every kind of transaction has it, and the ticket's own. */

import type { App } from '#core/context/app.ts'
import { readDocument } from '#core/contract/openapi.ts'
import { transactionResolvers } from '#core/graph/transaction-resolvers.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { TICKET } from './kind.ts'
import type { TicketTransaction } from './rest.ts'
import type { Tickets } from './rules.ts'

export const resolvers = (app: App, service: Tickets) => {
  const document = readDocument('parking', import.meta.dirname)
  const tickets = transactionResolvers(app, TICKET, service, document)
  return {
    Query: tickets.query,
    Mutation: tickets.mutation,
    Subscriber: tickets.subscriber,
    ...tickets.events,
    Ticket: {
      ...tickets.entity,
      description: ({ body }: TransactionRow<TicketTransaction>) => body.description,
    },
  }
}
