/** The message that a receiver gets: body, token, signature. */

import { LRUCache } from 'lru-cache'
import { callbackOf } from '../egress/callback-policy.ts'
import type { WebhookMessage } from './attempt.ts'
import { type NotifiedEvent, notificationOf } from './notification.ts'
import type { WebhookParts } from './parts.ts'
import type { ClaimedDelivery } from './queue.ts'
import { signatureHeaders } from './signature.ts'

/** Addresses of at most 2 KiB each, of which a receiver's events share one. */
const CALLBACKS_KEPT = 512
const callbacks = new LRUCache<string, URL>({ max: CALLBACKS_KEPT, memoMethod: callbackOf })

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/** What a message is made of. */
export interface MessageParts {
  readonly event: NotifiedEvent
  /** The contract's id field of the event's kind. */
  readonly idField: string
  /** Whose secrets sign it. */
  readonly clientId: string
  readonly notificationUrl: string
  readonly token: string | undefined
  /** By which the attempt is found in our log: of a delivery its id. */
  readonly correlator: string
}

/** Builds a message. @param now milliseconds since 1970, for the signature. */
export async function writeMessage(
  { access, config }: WebhookParts,
  { event, idField, clientId, notificationUrl, token, correlator }: MessageParts,
  now: number,
): Promise<WebhookMessage> {
  const body = notificationOf(event, idField, config.timezone)
  const signature = signatureHeaders(event.eventid, body, await access.webhookSecrets.of(clientId, now), now)
  const url = callbacks.memo(notificationUrl)
  return {
    url,
    body,
    headers: { ...bearer(token), 'x-correlator': correlator, ...signature },
    address: notificationUrl,
    token,
  }
}

/**
 * Makes the function that builds the messages of deliveries.
 * @param idFields the contract's id field of each kind.
 * @param now milliseconds since 1970, for the signature.
 */
export const createMessageWriter =
  (app: WebhookParts, idFields: ReadonlyMap<string, string>, now: () => number) =>
  (delivery: ClaimedDelivery): Promise<WebhookMessage> => {
    const { id, kind, clientId, url, token } = delivery
    const parts = {
      event: delivery,
      idField: idFields.get(kind)!,
      clientId,
      notificationUrl: url,
      token: token === null ? undefined : app.access.cipher.decrypt(token),
      // The delivery's id, by which the attempt is found in the graph too.
      correlator: id,
    }
    return writeMessage(app, parts, now())
  }
