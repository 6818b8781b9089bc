/** The graph: each field of `parking.graphql` as every kind of transaction has it, and the ticket's own. */

import type { App } from '#core/context/app.ts'
import { readDocument } from '#core/contract/openapi.ts'
import { transactionResolvers } from '#core/graph/transaction-resolvers.ts'
import { TICKET } from './kind.ts'
import type { TicketRow, TicketService } from './service.ts'

export const resolvers = (app: App, service: TicketService) => {
  const document = readDocument('parking', import.meta.dirname)
  const tickets = transactionResolvers(app, TICKET, service, document)
  return {
    Query: tickets.query,
    Mutation: tickets.mutation,
    Subscriber: tickets.subscriber,
    ...tickets.events,
    Ticket: { ...tickets.entity, description: ({ body }: TicketRow) => body.description },
  }
}
