/** Signatures after the Standard Webhooks specification 1.0: HMAC-SHA256 over id, time and body. */

import { createHmac } from 'node:crypto'
import { WEBHOOK_SECRET_PREFIX } from '../access/webhook-secrets.ts'

const sign = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** The three headers of one attempt; none without a secret, several signatures while the secret is being changed. */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  if (secrets.length === 0) return {}
  const timestamp = `${Math.floor(now / 1_000)}`
  const signed = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => sign(secret, signed)).join(' '),
  }
}
