/** Signatures after the Standard Webhooks specification 1.0: HMAC-SHA256 over id, time and body. */

import { createHmac } from 'node:crypto'
import { WEBHOOK_SECRET_PREFIX } from '../access/webhook-secrets.ts'

const sign = (secret: string, head: string, body: string | Buffer): string => {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
}

/** The three headers of one attempt; none without a secret, several signatures while the secret is being changed. */
export function signatureHeaders(
  id: string,
  body: string | Buffer,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  if (secrets.length === 0) return {}
  const timestamp = `${Math.floor(now / 1_000)}`
  const head = `${id}.${timestamp}.`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => sign(secret, head, body)).join(' '),
  }
}
