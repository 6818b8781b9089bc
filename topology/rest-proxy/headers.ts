/** Headers of requests and responses that are passed on: hop-by-hop ones left out, the client's address added. */
import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Headers that belong to one connection and end with it (RFC 9110 §7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const namedBy = (connection: string | string[] | undefined): string[] =>
  [connection ?? []].flat().flatMap(value => value.split(',').map(name => name.trim().toLowerCase()))

/** The headers that are passed on, without `others`. */
export function endToEnd(headers: IncomingHttpHeaders, others: readonly string[] = []): IncomingHttpHeaders {
  const left = new Set([...HOP_BY_HOP, ...namedBy(headers.connection), ...others])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)))
}

const append = (before: string | string[] | undefined, one: string): string =>
  [before ?? [], one].flat().join(', ')

/** Element of `Forwarded`, quoted where the value is no token (RFC 7239 §4, §6.1). */
const element = ({ ip, host, protocol }: FastifyRequest): string => {
  const node = isIPv6(ip) ? `"[${ip}]"` : ip
  return `for=${node};host=${JSON.stringify(host)};proto=${protocol}`
}

/** Headers `X-Forwarded-For` and `Forwarded` (RFC 7239) with this hop appended to those that came. */
export const forwardedBy = (request: FastifyRequest) => ({
  'x-forwarded-for': append(request.headers['x-forwarded-for'], request.ip),
  forwarded: append(request.headers['forwarded'], element(request)),
})
