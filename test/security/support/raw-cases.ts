/** Bytes that pretend to be HTTP/1.1: wrong lines, lying lengths, broken chunks, two of what may be there once. */
import type { Draw } from './draw.ts'

export interface RawCase {
  /** Latin-1, as it goes over the wire. */
  readonly bytes: string
}

const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'TRACE',
  'CONNECT',
  'PRI',
  'get',
  'G\u0000T',
  '',
  'X'.repeat(300),
]
const TARGETS = [
  '/graphql',
  '/graphql/stream',
  '/postpaid-billing/v1/payments',
  '/loyalty/v1/reward-points/x',
  '/oauth2/accesstoken',
  '/health/live',
  '/metrics',
  '*',
  'http://127.0.0.1/graphql',
  '127.0.0.1:443',
  '//',
  '/%',
  '/\u0000',
  '/..%2f..%2f',
  `/${'a'.repeat(9_000)}`,
  `/${'a'.repeat(40_000)}`,
  '',
]
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/9.9',
  'HTTP/0.9',
  'http/1.1',
  '',
]
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n']

const HEADERS = [
  'Host: other.example',
  'Host: a, b',
  'Host:',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Content-Length: 5, 6',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding:\u000bchunked',
  'Expect: 100-continue',
  'Expect: nothing',
  'Upgrade: h2c',
  'Connection: Upgrade, HTTP2-Settings',
  'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: x',
  'Sec-WebSocket-Version: 99',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Accept: text/event-stream',
  'Authorization: Bearer x',
  'x-correlator: a\u0000b',
  'x-correlator: 1\r\n folded',
  ' leading: space',
  'no-colon',
  ': no-name',
  'n\u00e4me: x',
  `x-long: ${'y'.repeat(20_000)}`,
  `Cookie: ${'z'.repeat(7_000)}`,
  'Connection: close',
  'Trailer: x-correlator',
  'Range: bytes=0-0',
]

const BODIES = [
  '',
  '{"query":"{ __typename }"}',
  '5\r\nhello\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFFF\r\n',
  '5;ext="a\r\nb"\r\nhello\r\n0\r\n\r\n',
  '-1\r\nx\r\n0\r\n\r\n',
  '5\r\nhel',
  '0\r\nx-correlator: trailer\r\n\r\n',
  'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n',
]

const REQUEST = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

const one = (draw: Draw): string => {
  if (draw.chance(15)) return REQUEST
  const end = draw.pick(ENDS)
  const headers = Array.from({ length: draw.below(6) }, () => draw.pick(HEADERS))
  const hosts = Array.from({ length: draw.chance(85) ? 1 : draw.below(3) }, () => 'Host: 127.0.0.1')
  const line = `${draw.pick(METHODS)} ${draw.pick(TARGETS)} ${draw.pick(VERSIONS)}`
  return `${[line, ...hosts, ...headers].join(end)}${end}${end}${draw.pick(BODIES)}`
}

/** One to four requests in a row, now and then cut off or preceded by rubbish. */
export function makeRawCase(draw: Draw): RawCase {
  const bytes = Array.from({ length: 1 + (draw.chance(30) ? draw.below(4) : 0) }, () => one(draw)).join('')
  if (draw.chance(10)) return { bytes: bytes.slice(0, draw.below(bytes.length)) }
  return { bytes: draw.chance(5) ? `${draw.text()}${bytes}` : bytes }
}
