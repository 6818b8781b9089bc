/**
 * To which addresses webhooks may go: https to the public internet, and whatever `WEBHOOK_ALLOW` opens. It is asked
 * twice: when a webhook is posted, as far as can be seen then, and at every connection.
 */
import { isIP } from 'node:net'
import { invalid } from '../errors.ts'
import { type Address, isPublic, isWithin, parseAddress, parseRange, type Range } from './ranges.ts'

/** What `WEBHOOK_ALLOW` opens, for http too: hosts by name, addresses by range. */
export interface AllowList {
  readonly hosts: ReadonlySet<string>
  readonly ranges: readonly Range[]
}

const HOST = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** Names as they are compared: small letters, without the dot of the root. */
const plain = (host: string): string => host.toLowerCase().replace(/\.+$/, '')

/** Whether this can stand in `WEBHOOK_ALLOW`. */
export const isAllowEntry = (entry: string): boolean =>
  parseRange(entry) !== undefined || (HOST.test(plain(entry)) && !/^[\d.]+$/.test(entry))

/** Reads the entries of `WEBHOOK_ALLOW`. */
export function readAllowList(entries: readonly string[]): AllowList {
  const ranges = entries.map(parseRange).filter(range => range !== undefined)
  const hosts = entries.filter(entry => parseRange(entry) === undefined).map(plain)
  return { hosts: new Set(hosts), ranges }
}

const isOpened = (address: Address, { ranges }: AllowList) => ranges.some(range => isWithin(address, range))

/** Whether the operator has opened this host, whatever it resolves to. */
export const isOpenHost = (host: string, allow: AllowList): boolean => {
  const address = parseAddress(host)
  return address ? isOpened(address, allow) : allow.hosts.has(plain(host))
}

/** Whether a connection to this IP address is refused. */
export function isRefused(ip: string, allow: AllowList): boolean {
  const address = parseAddress(ip)
  return !address || !(isPublic(address) || isOpened(address, allow))
}

/** Names that never lead to the public internet (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const INTERNAL = /(^|\.)(localhost|local|internal|home\.arpa)$/

const isInternal = (host: string) =>
  isIP(host.replace(/^\[(.*)\]$/, '$1')) ? !isPublic(parseAddress(host)!) : INTERNAL.test(plain(host))

/** Longer ones are no addresses, and would not fit a row of an index. */
const MAX_LENGTH = 2_048

const faultOf = (address: string, allow: AllowList): string | undefined => {
  if (!URL.canParse(address) || address.length > MAX_LENGTH) return 'must be an absolute https address'
  const url = new URL(address)
  if (url.username || url.password) return 'must not contain credentials'
  if (url.protocol === 'http:' && isOpenHost(url.hostname, allow)) return undefined
  if (url.protocol !== 'https:') return 'must be an https address'
  if (isOpenHost(url.hostname, allow) || !isInternal(url.hostname)) return undefined
  return 'must be an address of the public internet'
}

/**
 * Checks a `webhook.notificationUrl` when it is posted. A name is not looked up here: what it leads to then says
 * nothing about later.
 * @throws ServiceError INVALID_ARGUMENT naming the field.
 */
export function checkWebhookAddress(path: string, address: string, allow: AllowList): void {
  const fault = faultOf(address, allow)
  if (fault) throw invalid(`${path} ${fault}`)
}

/** The receiver of a webhook: scheme, host and port. */
export const originOf = (address: string): string => new URL(address).origin

/** Where events go: `<notificationUrl>/eventNotifications`, one slash; a query stays behind the path. */
export function callbackOf(notificationUrl: string): URL {
  const url = new URL(notificationUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/eventNotifications`
  url.hash = ''
  return url
}
