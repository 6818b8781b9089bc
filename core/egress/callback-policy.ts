/**
 * The callback policy: webhooks may go to https addresses of the public internet, and to those that `WEBHOOK_ALLOW` opens.
 * It is applied when a webhook is posted, as far as is possible then, and at every connection.
 *
 * The list of `WEBHOOK_ALLOW` has hosts by name and addresses by range. An entry opens the port that it names; without one it
 * opens all but the ports of common systems, and those where the services of this installation and the systems behind
 * them listen.
 */
import { isIP } from 'node:net'
import { invalidField } from '../errors/catalogue.ts'
import {
  type IpAddress,
  type IpRange,
  isPublic,
  isThisMachine,
  isWithin,
  parseAddress,
  parseRange,
} from './addresses.ts'

/** A host, by name or as an address, and a port. */
interface HostPort {
  readonly host: string
  readonly port: number
}

export interface Reserved {
  /** Ports on this machine, by any of its addresses. */
  readonly ports: readonly number[]
  readonly places: readonly HostPort[]
}

const NOTHING_RESERVED: Reserved = { ports: [], places: [] }

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
}

/** Finds host and port of an address such as `http://10.0.0.5:8080/base`; none for text that is no address. */
export const hostPortsOf = (address: string | undefined): HostPort[] => {
  if (address === undefined || !URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port)
  return number === undefined || hostname === '' ? [] : [{ host: hostname, port: number }]
}

/** A name for comparison: in lower case, without brackets and the dot of the root. */
const bareName = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

const isSameHost = (one: string, other: string): boolean => {
  const [a, b] = [parseAddress(bareName(one)), parseAddress(bareName(other))]
  return a && b ? a.toString() === b.toString() : bareName(one) === bareName(other)
}

/** Ports of web servers on any host. */
const WEB = [80, 443]

/**
 * Whether a part of the installation listens at this host and port. Names are not looked up: at any IP address, the port of a
 * system that is known by name counts as that system's, unless it is a port of web servers.
 */
const isReserved = (host: string, port: number, { ports, places }: Reserved): boolean => {
  const here = isThisMachine(bareName(host))
  if (here && ports.includes(port)) return true
  const isAddress = parseAddress(bareName(host)) !== undefined
  return places.some(place => {
    if (place.port !== port) return false
    if (isSameHost(place.host, host) || (here && isThisMachine(bareName(place.host)))) return true
    return isAddress && parseAddress(bareName(place.host)) === undefined && !WEB.includes(port)
  })
}

interface Opened {
  /** Port; without one, every port but those of systems and of the installation. */
  readonly port: number | undefined
}

/** Hosts and ranges that `WEBHOOK_ALLOW` opens, for http too. */
export interface AllowList {
  readonly hosts: readonly (Opened & { readonly host: string })[]
  readonly ranges: readonly (Opened & { readonly range: IpRange })[]
  /** Places of the installation, which an entry without a port does not open. */
  readonly reserved: Reserved
}

const HOST = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** A name for comparison: in lower case, without the dot of the root. */
export const plain = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const PORT = /^[1-9]\d{0,4}$/

/**
 * Splits an entry such as `[::1]:9000`, `10.0.0.0/8:443` or `hooks.test:8443`; an IPv6 address without brackets has no
 * port.
 */
const split = (entry: string): { place: string; port: string | undefined } => {
  const at = entry.lastIndexOf(':')
  const hasPort = at > 0 && (entry[at - 1] === ']' || entry.indexOf(':') === at || entry.includes(']/'))
  const isRangeInBrackets = entry.includes(']/') && at < entry.indexOf(']/')
  if (!hasPort || isRangeInBrackets) return { place: entry, port: undefined }
  return { place: entry.slice(0, at), port: entry.slice(at + 1) }
}

const isPort = (port: string | undefined) => port === undefined || (PORT.test(port) && Number(port) <= 65_535)

const isHost = (place: string) => HOST.test(plain(place)) && !/^[\d.]+$/.test(place)

/** Whether the text is a valid entry of `WEBHOOK_ALLOW`. */
export const isAllowEntry = (entry: string): boolean => {
  const { place, port } = split(entry)
  return isPort(port) && (parseRange(place) !== undefined || isHost(place))
}

/** Reads the entries of `WEBHOOK_ALLOW`. @param reserved the installation's own hosts and ports. */
export function readAllowList(entries: readonly string[], reserved: Reserved = NOTHING_RESERVED): AllowList {
  const read = entries.map(split).map(({ place, port }) => ({ place, port: port ? Number(port) : undefined }))
  return {
    hosts: read
      .filter(({ place }) => !parseRange(place))
      .map(({ place, port }) => ({ host: plain(place), port })),
    ranges: read.flatMap(({ place, port }) => {
      const range = parseRange(place)
      return range ? [{ range, port }] : []
    }),
    reserved,
  }
}

/**
 * Ports of remote shells, mail, data stores and control planes, which a request in HTTP could harm or read from inside a
 * network. An entry has to name such a port to open it.
 */
const SYSTEM_PORTS = new Set([
  22, 23, 25, 465, 587, 1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379,
  6443, 7001, 8500, 9042, 9092, 9200, 9300, 10_250, 10_255, 11_211, 15_672, 27_017,
])

/**
 * Whether an entry opens a port.
 * @param hosts the name of the host, and its address where that is known.
 */
const opensPort = (
  { port }: Opened,
  wanted: number,
  hosts: readonly string[],
  { reserved }: AllowList,
): boolean =>
  port === undefined
    ? !SYSTEM_PORTS.has(wanted) && !hosts.some(host => isReserved(host, wanted, reserved))
    : port === wanted

/** Whether the operator has opened this IP address, at this port. */
const isOpenAddress = (address: IpAddress, port: number, allow: AllowList): boolean =>
  allow.ranges.some(
    entry => isWithin(address, entry.range) && opensPort(entry, port, [address.toString()], allow),
  )

/**
 * Whether the operator has opened this host at this port.
 * @param ip its address, where it was looked up.
 */
export const isOpenHost = (host: string, port: number, allow: AllowList, ip?: string): boolean => {
  const address = parseAddress(host)
  if (address) return isOpenAddress(address, port, allow)
  const hosts = ip === undefined ? [host] : [host, ip]
  return allow.hosts.some(entry => entry.host === plain(host) && opensPort(entry, port, hosts, allow))
}

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
const TOO_LONG = `must not be longer than ${MAX_LENGTH} characters`

const faultOf = (address: string, allow: AllowList): string | undefined => {
  if (address.length > MAX_LENGTH) return TOO_LONG
  if (!URL.canParse(address)) return 'must be an absolute https address'
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
  if (token.length > MAX_LENGTH) throw invalidField(path, 'TOO_LONG', TOO_LONG)
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
