/** What a receiver gets: the contract's `EventNotification` (contract document 1). */
import { formatOffset } from '../values/time.ts'

/** An event on its way, as the queue hands it over. */
export interface NotifiedEvent {
  readonly eventid: string
  readonly transactionId: string
  readonly eventType: string
  readonly eventTime: Date
  readonly status: string
  readonly description: string
  readonly clientCorrelatorId: string | null
  readonly paymentDate: Date | null
}

const detailOf = (event: NotifiedEvent, idField: string, timezone: string) => ({
  [idField]: event.transactionId,
  ...(event.clientCorrelatorId !== null && { clientCorrelatorId: event.clientCorrelatorId }),
  status: event.status,
  description: event.description,
  ...(event.paymentDate && { paymentDate: formatOffset(event.paymentDate, timezone) }),
})

/**
 * The body, the same over all attempts.
 * @param idField the service's name for its id, e.g. `paymentId`.
 */
export function notificationOf(event: NotifiedEvent, idField: string, timezone: string): string {
  const { eventid, eventType, eventTime } = event
  return JSON.stringify({
    // A transaction brings at most one webhook along, so its id is the registration's too.
    eventSubscriptionid: event.transactionId,
    event: {
      eventid,
      eventType,
      eventTime: formatOffset(eventTime, timezone),
      eventDetail: detailOf(event, idField, timezone),
    },
  })
}
