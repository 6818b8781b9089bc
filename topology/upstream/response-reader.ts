/**
 * One response of HTTP/1.1 (RFC 9112), read from the bytes of a connection as they come. It is strict: what has two readings ends
 * the connection, since the next response would begin at another place.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Time for which the connection may be idle until it is used again, in seconds; 0 where it may not be. */
  readonly idleSeconds: number
  /** Bytes behind the response, at the end of those that were given last. */
  readonly after: number
}

/** Bytes that are no response of HTTP/1.1. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse'
}

const malformed = (what: string): never => {
  throw new MalformedResponse(`The response is not HTTP/1.1: ${what}`)
}

/** Most bytes of a head, of the line of a chunk, and of trailers, as undici has it. */
const MAX_HEAD = 16 * 1024
/** Longest rest of a connection, unless the server says less. */
const IDLE_SECONDS = 4
const STATUS = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/
/** Control characters, and line ends that are not whole. */
const FORBIDDEN = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/
const CHUNK = /^([\da-fA-F]{1,8})(?:[\t ]*;[^\r\n]*)?\r\n$/
const HEAD_END = '\r\n\r\n'

interface Head {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Length of the body in bytes; undefined where it ends by itself. */
  readonly length: number | undefined
  readonly isChunked: boolean
  readonly idleSeconds: number
}

const addHeader = (headers: Record<string, string | string[] | undefined>, line: string) => {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
  if (!NAME.test(name)) malformed('a header has no name')
  const value = line.slice(colon + 1).trim()
  const known = Object.hasOwn(headers, name) ? headers[name] : undefined
  headers[name] = known === undefined ? value : [known, value].flat()
}

/** Time for which a connection may be idle; a server that says when it closes it is believed, a second less. */
const idleSecondsOf = (version: string, headers: IncomingHttpHeaders): number => {
  const connection = String(headers.connection ?? '').toLowerCase()
  if (version === '0' || /(?:^|[\s,])close(?:[\s,]|$)/.test(connection)) return 0
  const [, hint] = /timeout=(\d+)/.exec(String(headers['keep-alive'] ?? '')) ?? []
  return hint === undefined ? IDLE_SECONDS : Math.min(IDLE_SECONDS, Math.max(Number(hint) - 1, 0))
}

const lengthOf = (status: number, headers: IncomingHttpHeaders, isChunked: boolean): number | undefined => {
  const { 'content-length': length } = headers
  if (length !== undefined && (isChunked || !/^\d{1,15}$/.test(String(length)))) malformed('its length')
  if (status === 204 || status === 304) return 0
  return length === undefined ? undefined : Number(length)
}

const parseHead = (text: string): Head => {
  if (FORBIDDEN.test(text)) malformed('a control character in its head')
  const lines = text.split('\r\n')
  const [, version, code] = STATUS.exec(lines[0]!) ?? malformed('its first line')
  const headers: IncomingHttpHeaders = Object.create(null)
  for (let index = 1; index < lines.length; index += 1) addHeader(headers, lines[index]!)
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined && String(encoding).toLowerCase() !== 'chunked')
    malformed('its transfer encoding')
  const status = Number(code)
  const isChunked = encoding !== undefined
  const length = lengthOf(status, headers, isChunked)
  const endsByItself = length === undefined && !isChunked
  const idleSeconds = endsByItself ? 0 : idleSecondsOf(version!, headers)
  return { status, headers, length, isChunked, idleSeconds }
}

/** Heads of one service's responses: within a second they are mostly the same text. */
export class Heads {
  #text = ''
  #head: Head | undefined

  /** Parses a head; the same text gives the same object. */
  parse(text: string): Head {
    if (this.#head && text === this.#text) return this.#head
    const head = parseHead(text)
    this.#text = text
    this.#head = head
    return head
  }
}

/** Body in chunks (RFC 9112 §7.1). */
class Chunks {
  readonly pieces: Buffer[] = []
  /** Bytes behind the last chunk and its trailers; undefined before. */
  after: number | undefined
  #line = ''
  /** Bytes that are left of a chunk, with the line end behind it. */
  #left = 0
  #isLast = false
  #trailers = 0

  add(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      if (this.after !== undefined) {
        this.after += bytes.length - at
        return
      }
      at = this.#left > 0 ? this.#addData(bytes, at) : this.#addLine(bytes, at)
    }
  }

  #addData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    // The last two bytes are the line end.
    const dataEnd = Math.min(end, at + Math.max(this.#left - 2, 0))
    if (dataEnd > at) this.pieces.push(Buffer.from(bytes.subarray(at, dataEnd)))
    for (let index = dataEnd; index < end; index += 1) {
      const expected = this.#left - (index - at) === 2 ? 13 : 10
      if (bytes[index] !== expected) malformed('a chunk that is longer than it says')
    }
    this.#left -= end - at
    return end
  }

  #addLine(bytes: Buffer, at: number): number {
    const found = bytes.indexOf(10, at)
    const end = found < 0 ? bytes.length : found + 1
    this.#line += bytes.toString('latin1', at, end)
    if (this.#line.length + this.#trailers > MAX_HEAD) malformed('the line of a chunk is too long')
    if (found >= 0) this.#endLine()
    return end
  }

  #endLine(): void {
    const line = this.#line
    this.#line = ''
    if (this.#isLast) {
      this.#trailers += line.length
      if (line === '\r\n') this.after = 0
      return
    }
    const [, size] = CHUNK.exec(line) ?? malformed('the size of a chunk')
    const bytes = Number.parseInt(size!, 16)
    this.#isLast = bytes === 0
    this.#left = bytes === 0 ? 0 : bytes + 2
  }
}

/** Reader of one response. */
export class ResponseReader {
  readonly #heads: Heads
  #head: Head | undefined
  #chunks: Chunks | undefined
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(heads: Heads) {
    this.#heads = heads
  }

  /**
   * Takes bytes, which may change afterwards.
   * @returns the response once it is whole.
   * @throws MalformedResponse
   */
  take(bytes: Buffer): ReadResponse | undefined {
    return this.#head ? this.#takeBody(bytes, this.#head) : this.#takeHead(bytes)
  }

  /** Takes the end of the connection. @returns a response that ends with it; undefined where it was cut off. */
  end(): ReadResponse | undefined {
    const head = this.#head
    if (!head || head.length !== undefined || head.isChunked) return undefined
    return this.#whole(head, Buffer.concat(this.#pieces).toString(), 0)
  }

  #takeHead(given: Buffer): ReadResponse | undefined {
    const bytes = this.#bytes === 0 ? given : Buffer.concat([...this.#pieces, given])
    const end = bytes.indexOf(HEAD_END, 0, 'latin1')
    if ((end < 0 ? bytes.length : end) > MAX_HEAD) malformed('its head is too long')
    if (end < 0) {
      this.#pieces = [Buffer.from(bytes)]
      this.#bytes = bytes.length
      return undefined
    }
    this.#pieces = []
    this.#bytes = 0
    const head = this.#heads.parse(bytes.toString('latin1', 0, end))
    const rest = end + HEAD_END.length
    if (head.status === 101) malformed('it changes the protocol')
    if (head.status < 200) return this.#takeHead(bytes.subarray(rest))
    this.#head = head
    const bodyEnd = rest + (head.length ?? 0)
    // Nearly every response comes in one piece: its text is read where it stands.
    if (head.length !== undefined && bytes.length >= bodyEnd)
      return this.#whole(head, bytes.toString('utf8', rest, bodyEnd), bytes.length - bodyEnd)
    if (head.isChunked) this.#chunks = new Chunks()
    return this.#takeBody(bytes.subarray(rest), head)
  }

  #takeBody(bytes: Buffer, head: Head): ReadResponse | undefined {
    if (this.#chunks) {
      this.#chunks.add(bytes)
      const { after, pieces } = this.#chunks
      return after === undefined ? undefined : this.#whole(head, Buffer.concat(pieces).toString(), after)
    }
    this.#pieces.push(Buffer.from(bytes))
    this.#bytes += bytes.length
    if (head.length === undefined || this.#bytes < head.length) return undefined
    const body = Buffer.concat(this.#pieces).toString('utf8', 0, head.length)
    return this.#whole(head, body, this.#bytes - head.length)
  }

  #whole({ status, headers, idleSeconds }: Head, body: string, after: number): ReadResponse {
    return { status, headers, body, idleSeconds, after }
  }
}
