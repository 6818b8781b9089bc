/** Events that call a webhook, as settling a payment would make them. */
import { v7 } from 'uuid'
import type { NewEvent } from '#core/events/append.ts'

export const TOKEN = 'a-token-of-the-receiver'

/** So many events of payments that happen now, the receivers in turns; `token` is encrypted. */
export const notified = (origins: readonly string[], count: number, token: string): NewEvent[] =>
  Array.from({ length: count }, (_, index) => {
    const origin = origins[index % origins.length]!
    const now = new Date()
    return {
      eventid: v7(),
      kind: 'PAYMENT',
      eventType: 'PAYMENT_COMPLETED',
      eventTime: now,
      transactionId: v7(),
      operationStatus: 'succeeded',
      status: 'succeeded',
      description: 'The payment was posted to the account',
      clientCorrelatorId: v7(),
      paymentDate: now,
      clientId: 'bench-partner',
      accountNumber: null,
      mobileNumber: null,
      webhook: { deliveryId: v7(), url: `${origin}/hooks`, origin, token },
    }
  })
