/** Test events: the message of an event that never was, sent at once and kept nowhere. */
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import { ownAddressCheck } from '../egress/own-address.ts'
import { unavailable } from '../errors/catalogue.ts'
import { newId } from '../values/id.ts'
import { attempt, TIME_LIMIT_MS } from './attempt.ts'
import type { LoggedAttempt } from './attempt-log.ts'
import { type MessageParts, writeMessage } from './message.ts'
import type { NotifiedEvent } from './notification.ts'
import type { WebhookParts } from './parts.ts'

/** The id that no transaction has, by which receivers recognise a test (docs/webhooks.md, "Trying it out"). */
export const TEST_TRANSACTION_ID = '00000000-0000-0000-0000-000000000000'

/** Of the time that the request has: the rest is for its response. */
const SHARE_OF_REQUEST = 0.8

const testEvent = (at: Date): NotifiedEvent => ({
  eventid: newId(),
  transactionId: TEST_TRANSACTION_ID,
  eventType: 'PAYMENT_COMPLETED',
  eventTime: at,
  status: 'succeeded',
  description: 'Test event: no transaction was posted',
  clientCorrelatorId: null,
  paymentDate: at,
})

/**
 * Sends a test event as an event of the kind would be sent: signed, to allowed addresses alone, over a connection of its
 * own. Whatever becomes of it is a result. Nothing may leave: ServiceError SERVICE_UNAVAILABLE.
 * @param signal breaks it off.
 */
export async function sendTestEvent(
  app: WebhookParts,
  parts: Omit<MessageParts, 'event'>,
  signal: AbortSignal,
): Promise<LoggedAttempt> {
  const off = app.outbound.off()
  if (off) throw unavailable(off)
  const message = await writeMessage(app, { ...parts, event: testEvent(new Date()) }, Date.now())
  const allow = app.config.webhookAllow
  const dispatcher = createGuardedAgent({ allow, isOwn: ownAddressCheck(app.ownPorts.all) })
  const timeLimitMs = Math.min(TIME_LIMIT_MS, SHARE_OF_REQUEST * app.config.requestTimeoutMs)
  try {
    const result = await attempt(message, { dispatcher, stop: signal, timeLimitMs, now: Date.now })
    const { at, status, durationMs, error } = result
    return { at, status, durationMs, error }
  } finally {
    await dispatcher.destroy()
  }
}
