/** The schemas of `parking.openapi.yaml` as `npm run codegen` would write them into `rest.generated.ts`. */

export interface TicketTransaction {
  clientCorrelatorId: string
  mobileNumber?: string
  amount: number
  currency: string
  description: string
}

export interface CreateTicket {
  ticketTransaction: TicketTransaction
  webhook?: { notificationUrl: string; notificationAuthToken?: string }
}

export interface Ticket {
  ticketId: string
  ticketTransaction: TicketTransaction
  transactionOperationStatus: 'processing' | 'paid' | 'refused'
  webhook?: { notificationUrl: string }
}
