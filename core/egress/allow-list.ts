/** The list that `WEBHOOK_ALLOW` makes: hosts by name, addresses by range, each with one port or with all but those of systems. */
import { isReserved, NONE, type Reserved } from './reserved.ts'
import { type IpAddress, type IpRange, isWithin, parseAddress, parseRange } from './special-ranges.ts'

interface Opened {
  /** Without one, every port that is no system's own and not the installation's. */
  readonly port: number | undefined
}

/** Hosts and ranges that `WEBHOOK_ALLOW` opens, for http too. */
export interface AllowList {
  readonly hosts: readonly (Opened & { readonly host: string })[]
  readonly ranges: readonly (Opened & { readonly range: IpRange })[]
  /** The installation's own, which an entry without a port does not open. */
  readonly reserved: Reserved
}

const HOST = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/

/** Names as they are compared: small letters, without the dot of the root. */
export const plain = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const PORT = /^[1-9]\d{0,4}$/

/** `[::1]:9000`, `10.0.0.0/8:443`, `hooks.test:8443`; an IPv6 address without brackets has no port. */
const split = (entry: string): { place: string; port: string | undefined } => {
  const at = entry.lastIndexOf(':')
  const hasPort = at > 0 && (entry[at - 1] === ']' || entry.indexOf(':') === at || entry.includes(']/'))
  const isRangeInBrackets = entry.includes(']/') && at < entry.indexOf(']/')
  if (!hasPort || isRangeInBrackets) return { place: entry, port: undefined }
  return { place: entry.slice(0, at), port: entry.slice(at + 1) }
}

const isPort = (port: string | undefined) => port === undefined || (PORT.test(port) && Number(port) <= 65_535)

const isHost = (place: string) => HOST.test(plain(place)) && !/^[\d.]+$/.test(place)

/** Whether this can stand in `WEBHOOK_ALLOW`. */
export const isAllowEntry = (entry: string): boolean => {
  const { place, port } = split(entry)
  return isPort(port) && (parseRange(place) !== undefined || isHost(place))
}

/** Reads the entries of `WEBHOOK_ALLOW`. @param reserved what is the installation's own. */
export function readAllowList(entries: readonly string[], reserved: Reserved = NONE): AllowList {
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
 * Where remote shells, mail, data stores and control planes listen: what a request in HTTP could do harm to, or read
 * from, inside a network. An entry has to name such a port to open it.
 */
const SYSTEM_PORTS = new Set([
  22, 23, 25, 465, 587, 1433, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 6379,
  6443, 7001, 8500, 9042, 9092, 9200, 9300, 10_250, 10_255, 11_211, 15_672, 27_017,
])

/** @param hosts the host by its names: as it is called, and the address that it leads to where that is known. */
const opensPort = (
  { port }: Opened,
  asked: number,
  hosts: readonly string[],
  { reserved }: AllowList,
): boolean =>
  port === undefined
    ? !SYSTEM_PORTS.has(asked) && !hosts.some(host => isReserved(host, asked, reserved))
    : port === asked

/** Whether the operator has opened this IP address, at this port. */
export const isOpenAddress = (address: IpAddress, port: number, allow: AllowList): boolean =>
  allow.ranges.some(
    entry => isWithin(address, entry.range) && opensPort(entry, port, [address.toString()], allow),
  )

/**
 * Whether the operator has opened this host at this port.
 * @param ip the address that it leads to, where it was looked up.
 */
export const isOpenHost = (host: string, port: number, allow: AllowList, ip?: string): boolean => {
  const address = parseAddress(host)
  if (address) return isOpenAddress(address, port, allow)
  const hosts = ip === undefined ? [host] : [host, ip]
  return allow.hosts.some(entry => entry.host === plain(host) && opensPort(entry, port, hosts, allow))
}
