/** Test events: the message of an event that never was, sent at once and kept nowhere. */

import { ownAddressCheck } from '../egress/addresses.ts'
import { createGuardedAgent } from '../egress/guarded-agent.ts'
import { unavailable } from '../errors/catalogue.ts'
import { newId } from '../values/id.ts'
import { attempt, TIME_LIMIT_MS } from './attempt.ts'
import type { DelivererDependencies } from './deliverer.ts'
import { type MessageOptions, type NotifiedEvent, writeMessage } from './message.ts'
import type { LoggedAttempt } from './outcomes.ts'

/** The id that no transaction has: endpoints recognise a test by it (docs/webhooks.md, "Trying it out"). */
export const TEST_TRANSACTION_ID = '00000000-0000-0000-0000-000000000000'

/** The share of the request's time that the attempt may take: the rest is for the response. */
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
 * own. Every failure of the attempt is a result.
 * @param signal breaks it off.
 * @throws ServiceError SERVICE_UNAVAILABLE where nothing may be sent.
 */
export async function sendTestEvent(
  app: Pick<DelivererDependencies, 'config' | 'access' | 'ownPorts' | 'outbound'>,
  options: Omit<MessageOptions, 'event'>,
  signal: AbortSignal,
): Promise<LoggedAttempt> {
  const off = app.outbound.off()
  if (off) throw unavailable(off)
  const message = await writeMessage(app, { ...options, event: testEvent(new Date()) }, Date.now())
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
