/** Headers that belong to one connection and end with it (RFC 9110 §7.6.1). */
import type { IncomingHttpHeaders } from 'node:http'

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

/** The headers that go further, without `others`. */
export function endToEnd(headers: IncomingHttpHeaders, others: readonly string[] = []): IncomingHttpHeaders {
  const left = new Set([...HOP_BY_HOP, ...namedBy(headers.connection), ...others])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name)))
}
