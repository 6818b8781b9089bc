/** Where a connection comes from, as far as those before this process are trusted to say it. */
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import type { TrustProxy } from '../config/trust-proxy.ts'

/** What Fastify calls `request.ip`, for requests that it does not see, such as upgrades. */
export const remoteAddress = (request: IncomingMessage, trust: TrustProxy): string =>
  (trust ? proxyAddress(request, trust) : request.socket.remoteAddress) ?? ''

/** What one subscriber of a provider has: an IPv4 address, or the 64 bits of an IPv6 network (RFC 6177 §2). */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
