/** A sixth service, as small as one can be: it shows what adding a service takes. */
import { defineSubgraph } from '../../../subgraphs/shared/define-subgraph.ts'

interface Ticket {
  ticketId: string
  place: string
}

const findTicket = (ticketId: string): Ticket => ({ ticketId, place: 'Muttrah Corniche' })

export default defineSubgraph({
  name: 'parking',
  documents: import.meta.dirname,
  service: () => ({ findTicket }),
  operations: (_, service) => ({
    getTicket: async ({ params }) => ({ status: 200, body: service.findTicket(params['ticketId']!) }),
  }),
  resolvers: (_, service) => ({
    Query: { ticket: (_parent: unknown, { ticketId }: { ticketId: string }) => service.findTicket(ticketId) },
    Ticket: { subscriber: () => ({ mobileNumber: '+96891000001' }) },
  }),
})
