/** Settings of an outside charging system over HTTP. */
import { isHttpBase } from './addresses.ts'
import type { SETTINGS, SettingsReader } from './settings.ts'

export interface ChargingSettings {
  /** The addresses for the orders of single services. */
  readonly urls: ReadonlyMap<string, string>
  /** The address for the orders of all others; unset: the embedded ledger. */
  readonly url: string | undefined
  readonly token: string
  /** Secret that signs the system's callbacks; where unset there are no callbacks, and inquiries find the outcomes. */
  readonly callbackSecret: string | undefined
  /** Longest time of a call, in milliseconds. */
  readonly timeoutMs: number
  /** Most orders of a kind in flight at once. */
  readonly parallel: number
}

const checkUrl = (
  read: SettingsReader,
  name: `CHARGING_${string}URL` & keyof typeof SETTINGS,
  text: string | undefined,
): string | undefined => {
  read.expect(
    text === undefined || isHttpBase(text),
    name,
    'an http(s) address without user, query or fragment',
  )
  return text
}

const readUrls = (read: SettingsReader) => {
  const given = [
    ['postpaid-billing', 'CHARGING_POSTPAID_BILLING_URL', read.optional('CHARGING_POSTPAID_BILLING_URL')],
    ['prepaid', 'CHARGING_PREPAID_URL', read.optional('CHARGING_PREPAID_URL')],
    ['loyalty', 'CHARGING_LOYALTY_URL', read.optional('CHARGING_LOYALTY_URL')],
    ['redemption', 'CHARGING_REDEMPTION_URL', read.optional('CHARGING_REDEMPTION_URL')],
  ] as const
  const urls = new Map<string, string>()
  for (const [service, name, text] of given) if (checkUrl(read, name, text)) urls.set(service, text!)
  return urls
}

const isSecret = (text: string) =>
  /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) && Buffer.from(text.slice(6), 'base64').length >= 24

const readToken = (read: SettingsReader): string => {
  const token = read.optional('CHARGING_TOKEN')
  if (token === undefined) read.faults.push('CHARGING_TOKEN must be set with CHARGING=http')
  else if (!/^[\x21-\x7e]+$/.test(token)) read.faults.push('CHARGING_TOKEN must be printable, without spaces')
  return token ?? ''
}

const readSecret = (read: SettingsReader): string | undefined => {
  const secret = read.optional('CHARGING_CALLBACK_SECRET')
  if (secret !== undefined && !isSecret(secret))
    read.faults.push('CHARGING_CALLBACK_SECRET must be whsec_ and at least 24 bytes in base64')
  return secret
}

/** The outside charging system; undefined for the embedded ledger alone. */
export function readCharging(read: SettingsReader): ChargingSettings | undefined {
  const choice = read.text('CHARGING')
  const urls = readUrls(read)
  const url = checkUrl(read, 'CHARGING_URL', read.optional('CHARGING_URL'))
  const timeoutMs = read.integer('CHARGING_TIMEOUT_MS')
  const parallel = read.integer('CHARGING_PARALLEL')
  const isNamed = url !== undefined || urls.size > 0
  if (choice !== 'http') {
    if (isNamed) read.faults.push('CHARGING must be http when a CHARGING_URL is set')
    return undefined
  }
  if (!isNamed) read.faults.push('CHARGING_URL, or that of a service, must be set with CHARGING=http')
  return { urls, url, token: readToken(read), callbackSecret: readSecret(read), timeoutMs, parallel }
}
