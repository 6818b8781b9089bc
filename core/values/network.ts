/** Network addresses as far as they tell one stranger from another. */
import { isIPv6 } from 'node:net'

/** An address in an IPv6 form of IPv4 as IPv4. */
export const unmapped = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** What counts as one address: a subscriber commonly has a whole /64 of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const plain = unmapped(address)
  if (!isIPv6(plain)) return plain
  const leading = plain.split('::')[0]!.split(':').filter(Boolean)
  return [...leading, '0', '0', '0', '0'].slice(0, 4).join(':')
}
