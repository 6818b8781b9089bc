/**
 * The callback policy: webhooks may go to https addresses of the public internet, and to those that `WEBHOOK_ALLOW` opens.
 * It is applied when a webhook is posted, as far as is possible then, and at every connection.
 */
import { isIP } from 'node:net'
import { invalidField } from '../errors/catalogue.ts'
import { isPublic, parseAddress } from './addresses.ts'
import { type AllowList, isOpenAddress, isOpenHost, plain } from './allow-list.ts'

/** Whether a connection to this IP address and port is refused. */
export function isRefused(ip: string, port: number, allow: AllowList): boolean {
  const address = parseAddress(ip)
  return !address || !(isPublic(address) || isOpenAddress(address, port, allow))
}

/** The port that a connection of this scheme goes to. */
export const portOf = ({ port, protocol }: { port: string; protocol: string }): number =>
  port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port)

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const INTERNAL = /(^|\.)(localhost|local|internal|home\.arpa)$/

const isInternal = (host: string) =>
  isIP(host.replace(/^\[(.*)\]$/, '$1')) ? !isPublic(parseAddress(host)!) : INTERNAL.test(plain(host))

/** Most characters of an address; a longer text would not fit a row of an index. */
const MAX_LENGTH = 2_048

const faultOf = (address: string, allow: AllowList): string | undefined => {
  if (!URL.canParse(address) || address.length > MAX_LENGTH) return 'must be an absolute https address'
  const url = new URL(address)
  if (url.username || url.password) return 'must not contain credentials'
  if (url.port === '0') return 'must have a port from 1 to 65535'
  const isOpen = isOpenHost(url.hostname, portOf(url), allow)
  if (url.protocol === 'http:' && isOpen) return undefined
  if (url.protocol !== 'https:') return 'must be an https address'
  if (isOpen || !isInternal(url.hostname)) return undefined
  return 'must be an address of the public internet'
}

/**
 * Checks a `webhook.notificationUrl` when it is posted. A name is not looked up here: its address may change before the
 * first attempt.
 * @throws ServiceError INVALID_ARGUMENT naming the field.
 */
export function checkWebhookAddress(path: string, address: string, allow: AllowList): void {
  const fault = faultOf(address, allow)
  if (fault) throw invalidField(path, 'WEBHOOK_ADDRESS_REFUSED', fault)
}

/** Characters of a header; undici and endpoints refuse others. */
const TOKEN = /^[\x20-\x7e]+$/

/**
 * Checks a `webhook.notificationAuthToken`.
 * @throws ServiceError INVALID_ARGUMENT naming the field.
 */
export function checkWebhookToken(path: string, token: string): void {
  if (token.length > MAX_LENGTH)
    throw invalidField(path, 'TOO_LONG', `must not be longer than ${MAX_LENGTH} characters`)
  if (!TOKEN.test(token)) throw invalidField(path, 'BAD_CHARACTERS', 'must be printable ASCII')
}

/** The endpoint of a webhook: scheme, host and port. */
export const originOf = (address: string): string => new URL(address).origin

/** Removes slashes at the end without a regular expression, which would take quadratic time. */
const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Address of events: `<notificationUrl>/eventNotifications`, with one slash; a query stays after the path. */
export function callbackOf(notificationUrl: string): URL {
  const url = new URL(notificationUrl)
  url.pathname = `${withoutSlashes(url.pathname)}/eventNotifications`
  url.hash = ''
  return url
}
