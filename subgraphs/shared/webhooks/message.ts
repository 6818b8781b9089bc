/** The message of a delivery: body, token, signature. */

import { callbackOf } from '../egress/callback-policy.ts'
import type { WebhookMessage } from './attempt.ts'
import { notificationOf } from './notification.ts'
import type { WebhookParts } from './parts.ts'
import type { ClaimedDelivery } from './queue.ts'
import { signatureHeaders } from './signature.ts'

const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` }

/**
 * Makes the function that builds messages.
 * @param idFields the contract's id field of each kind.
 * @param now milliseconds since 1970, for the signature.
 */
export function createMessageWriter(
  app: WebhookParts,
  idFields: ReadonlyMap<string, string>,
  now: () => number,
) {
  const { cipher, webhookSecrets } = app.access
  return async (delivery: ClaimedDelivery): Promise<WebhookMessage> => {
    const { id, eventid, kind, clientId, url, token } = delivery
    const body = notificationOf(delivery, idFields.get(kind)!, app.config.timezone)
    const plainToken = token === null ? undefined : cipher.decrypt(token)
    const signature = signatureHeaders(eventid, body, await webhookSecrets.of(clientId), now())
    const callback = callbackOf(url)
    return {
      url: callback,
      body,
      // The delivery's id, by which the attempt is found in our log and in the graph.
      headers: { ...bearer(plainToken), 'x-correlator': id, ...signature },
      secrets: [plainToken, callback.host, callback.hostname],
    }
  }
}
