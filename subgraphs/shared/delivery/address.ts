/** Which addresses a webhook may have, as far as can be seen when it is posted. */
import type { Config } from '../config.ts'
import { invalid } from '../errors.ts'

const isAllowed = ({ hostname }: URL, { webhookAllow }: Config) => webhookAllow.includes(hostname)

/**
 * Checks a `webhook.notificationUrl` (docs/decisions.md, "allowed addresses").
 * @throws ServiceError INVALID_ARGUMENT unless it is an https address without credentials; `WEBHOOK_ALLOW` opens http.
 */
export function checkWebhookAddress(path: string, address: string, config: Config): void {
  if (!URL.canParse(address)) throw invalid(`${path} must be an absolute https address`)
  const url = new URL(address)
  if (url.username || url.password) throw invalid(`${path} must not contain credentials`)
  const secure = url.protocol === 'https:'
  if (!secure && !(url.protocol === 'http:' && isAllowed(url, config)))
    throw invalid(`${path} must be an https address`)
}
