/** Network addresses as far as they tell one stranger from another. */
import { isIPv6 } from 'node:net'

/** An address in an IPv6 form of IPv4 as IPv4. */
export const unmapped = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** The network that counts as one address: a subscriber commonly has a whole /64 of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const plain = unmapped(address)
  if (!isIPv6(plain)) return plain
  const [leading = [], trailing = []] = plain.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - leading.length - trailing.length) }, () => '0')
  return [...leading, ...zeros, ...trailing].slice(0, 4).join(':')
}
