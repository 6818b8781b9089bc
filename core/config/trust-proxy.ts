/** Whose word counts about a client's address (`TRUST_PROXY`): so many proxies before this process, or known ones. */
import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * As Fastify takes it: false trusts nobody, so that the address is the connection's; otherwise whether the address that
 * is `hop` steps away may say in `X-Forwarded-For` for whom it speaks.
 */
export type TrustProxy = false | ((address: string, hop: number) => boolean)

/** More than any installation puts one behind the other. */
const HOPS = /^([1-9]|[1-2]\d|3[0-2])$/

const split = (text: string) => text.split(',').map(part => part.trim())

const isRange = (entry: string): boolean => {
  const [address = '', bits, more] = entry.split('/')
  if (isIP(address) === 0 || more !== undefined) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128)
}

/** Whether a text is a number of hops, or addresses and ranges (RFC 4632, RFC 4291 §2.3), comma-separated. */
export const isTrustProxy = (text: string): boolean => HOPS.test(text) || split(text).every(isRange)

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

const rangesOf = (entries: readonly string[]): BlockList => {
  const ranges = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    ranges.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return ranges
}

/** Reads a text for which `isTrustProxy` holds. */
export function readTrustProxy(text: string | undefined): TrustProxy {
  if (text === undefined) return false
  if (HOPS.test(text)) return (_, hop) => hop < Number(text)
  const ranges = rangesOf(split(text))
  // What stands in the header is anybody's text.
  return address => isIP(address) !== 0 && ranges.check(address, familyOf(address))
}
