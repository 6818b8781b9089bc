/**
 * IP addresses that webhooks must not reach: the special-purpose ranges (docs/decisions.md, "Webhooks"), and the ports at
 * which this process itself listens, whatever `WEBHOOK_ALLOW` opens.
 */
import { isIPv6 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
export type IpRange = [IpAddress, number]

const SPECIAL_RANGES: readonly IpRange[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Unspecified, loopback and the "compatible" form of IPv4 addresses.
  '::/96',
  // IPv4 by translation (RFC 6052, RFC 8215, RFC 2765): a gateway turns it into an address that was not checked.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '::ffff:0:0:0/96',
  '100::/64',
  // Teredo, benchmarks, ORCHID and other special purposes (RFC 2928).
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].map(range => ipaddr.parseCIDR(range))

/** Finds the inner address of an IPv4-mapped one (`::ffff:0:0/96`); any other address itself. */
const innermost = (address: IpAddress): IpAddress =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/**
 * Writes an IPv6 address in the one spelling that ipaddr.js reads correctly: it takes `::8.8.8.8` for a mapped address.
 */
const canonical = (ipv6: string): string => new URL(`http://[${ipv6}]`).hostname.slice(1, -1)

/** Reads an address in the form of DNS or a URL; undefined for a name. */
export function parseAddress(text: string): IpAddress | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(bare)) return innermost(ipaddr.IPv6.parse(canonical(bare.split('%', 1)[0]!)))
  return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : undefined
}

/** Whether the address lies in the range; addresses of the other version never do. */
export const isWithin = (address: IpAddress, [network, bits]: IpRange): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Whether the address is one of the public internet. */
export const isPublic = (address: IpAddress): boolean =>
  !SPECIAL_RANGES.some(range => isWithin(address, range))

/** Reads `10.0.0.0/8` or a single address as a range; undefined for anything else. */
export function parseRange(text: string): IpRange | undefined {
  const range = text.replace(/^\[([^\]]*)\]\//, '$1/')
  if (ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
  const address = parseAddress(text)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Loopback, and the unspecified addresses, by which a system connects to itself as well. */
const SELF = ['127.0.0.0/8', '0.0.0.0/8', '::1', '::'].map(range => parseRange(range)!)

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap(entries => (entries ?? []).map(({ address }) => address))

/** Whether the address is one of this machine's. */
const isOfThisMachine = (ip: string): boolean => {
  const address = parseAddress(ip)
  if (!address) return false
  if (SELF.some(range => isWithin(address, range))) return true
  return interfaceAddresses().some(own => parseAddress(own)?.toString() === address.toString())
}

/** Whether a host, by name or as an address, is this machine. */
export const isThisMachine = (host: string): boolean =>
  /(^|\.)localhost$/.test(host) || host === hostname().toLowerCase() || isOfThisMachine(host)

/** The ports at which this process listens. */
export interface OwnPorts {
  /**
   * Adds ports.
   * @param ports called at each use, since a server starts to listen late.
   */
  add(ports: () => readonly number[]): void
  all(): readonly number[]
}

/** Makes an empty set of ports. */
export function createOwnPorts(): OwnPorts {
  const servers = new Set<() => readonly number[]>()
  return {
    add: ports => void servers.add(ports),
    all: () => [...servers].flatMap(ports => ports()),
  }
}

/**
 * Makes the check whether this process listens at an address and port.
 * @param ports at which it listens; called at every connection.
 */
export const ownAddressCheck =
  (ports: () => readonly number[]) =>
  (ip: string, port: number): boolean =>
    ports().includes(port) && isOfThisMachine(ip)
