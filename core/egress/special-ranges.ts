/** The special-purpose ranges of IP addresses, to which no webhook goes (docs/decisions.md, "Webhooks"). */
import { isIPv6 } from 'node:net'
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
  // IPv4 by translation (RFC 6052, RFC 8215, RFC 2765): whatever a gateway makes of it is not what was looked at.
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

/** The address that is meant: the inner one of an IPv4-mapped one (`::ffff:0:0/96`). */
const innermost = (address: IpAddress): IpAddress =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/** In the one spelling that ipaddr.js reads without guessing: it takes `::8.8.8.8` for a mapped address. */
const canonical = (ipv6: string): string => new URL(`http://[${ipv6}]`).hostname.slice(1, -1)

/** Reads an address as DNS or a URL gives it; undefined for a name. */
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
