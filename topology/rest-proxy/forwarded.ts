/** Who asked the gateway, for the service behind it: the old header that everyone reads, and the standard one. */
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const append = (before: string | string[] | undefined, one: string): string =>
  [before ?? [], one].flat().join(', ')

/** Quoted where the value is no token (RFC 7239 §4, §6.1). */
const element = ({ ip, host, protocol }: FastifyRequest): string => {
  const node = isIPv6(ip) ? `"[${ip}]"` : ip
  return `for=${node};host=${JSON.stringify(host)};proto=${protocol}`
}

/** The headers with this hop appended to those that came. */
export const forwardedBy = (request: FastifyRequest) => ({
  'x-forwarded-for': append(request.headers['x-forwarded-for'], request.ip),
  forwarded: append(request.headers['forwarded'], element(request)),
})
