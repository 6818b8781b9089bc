/** What `WEBHOOK_ALLOW` opens: hosts by name, addresses by range, each with one port or with all but those of systems. */
import { type IpAddress, type IpRange, isWithin, parseAddress, parseRange } from './special-ranges.ts'

interface Opened {
  /** Without one, every port that is no system's own. */
  readonly port: number | undefined
}

/** What `WEBHOOK_ALLOW` opens, for http too. */
export interface AllowList {
  readonly hosts: readonly (Opened & { readonly host: string })[]
  readonly ranges: readonly (Opened & { readonly range: IpRange })[]
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

/** Reads the entries of `WEBHOOK_ALLOW`. */
export function readAllowList(entries: readonly string[]): AllowList {
  const read = entries.map(split).map(({ place, port }) => ({ place, port: port ? Number(port) : undefined }))
  return {
    hosts: read
      .filter(({ place }) => !parseRange(place))
      .map(({ place, port }) => ({ host: plain(place), port })),
    ranges: read.flatMap(({ place, port }) => {
      const range = parseRange(place)
      return range ? [{ range, port }] : []
    }),
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

const opensPort = ({ port }: Opened, asked: number): boolean =>
  port === undefined ? !SYSTEM_PORTS.has(asked) : port === asked

/** Whether the operator has opened this IP address, at this port. */
export const isOpenAddress = (address: IpAddress, port: number, { ranges }: AllowList): boolean =>
  ranges.some(entry => isWithin(address, entry.range) && opensPort(entry, port))

/** Whether the operator has opened this host, whatever it resolves to, at this port. */
export const isOpenHost = (host: string, port: number, allow: AllowList): boolean => {
  const address = parseAddress(host)
  if (address) return isOpenAddress(address, port, allow)
  return allow.hosts.some(entry => entry.host === plain(host) && opensPort(entry, port))
}
