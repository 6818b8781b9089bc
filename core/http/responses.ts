/**
 * Responses: their content-encoding, the reading and cutting of one that is written piece by piece, and what a request holds
 * until its response closes; over HTTP/1.1 and HTTP/2 alike.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { HttpReply, HttpRequest } from './exchange.ts'
import { validate } from './validators.ts'

/** NGHTTP2_INTERNAL_ERROR (RFC 9113 §7). */
const INTERNAL_ERROR = 0x2
/** Time in milliseconds in which a client must take note that its stream was cut; then its session is cut too. */
const NOTICE_MS = 5_000

const streamOf = (raw: ServerResponse): ServerHttp2Stream | undefined =>
  (raw as { stream?: ServerHttp2Stream }).stream

/** Whether a response goes over HTTP/2. */
export const isHttp2 = (raw: ServerResponse): boolean => streamOf(raw) !== undefined

/** Whether nothing can be written any more: the client has left, or the response was cut. */
export const hasLeft = (raw: ServerResponse): boolean => {
  const stream = streamOf(raw)
  return stream ? stream.destroyed || stream.closed : raw.destroyed || raw.closed
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Functions that release all that it holds: slots, use of the process, memory of its body. */
    held?: (() => void)[]
  }
}

/** Releases all that a request holds, since it goes on as a stream, which has limits of its own. */
export const releaseSlot = ({ held = [] }: HttpRequest): void => {
  for (const release of held) release()
}

/** Calls `release`, possibly twice, when the response closes or the request is released before. */
export function holdUntilClosed(request: HttpRequest, { raw }: HttpReply, release: () => void): void {
  // The client may have left during authentication; then no event would follow.
  if (hasLeft(raw)) release()
  else if (request.held) request.held.push(release)
  else {
    request.held = [release]
    raw.on('close', () => releaseSlot(request))
  }
}

/** Whether the client has not read what was written, so that more would only wait in memory. */
export const needsDrain = (raw: ServerResponse): boolean => (streamOf(raw) ?? raw).writableNeedDrain

/**
 * Cuts a response off in the middle, so that no client takes its beginning for the whole. In HTTP/1.1 that ends the
 * connection, in HTTP/2 the stream alone; a connection that takes no bytes at all does not hear of it, and ends too.
 */
export function cut(raw: ServerResponse): void {
  const stream = streamOf(raw)
  if (!stream) return void raw.destroy()
  if (stream.destroyed) return
  const { session } = stream
  stream.close(INTERNAL_ERROR)
  const late = setTimeout(() => session?.destroy(), NOTICE_MS).unref()
  stream.once('close', () => clearTimeout(late))
}

/** Headers as the protocol of a response allows them: HTTP/2 has none about the connection (RFC 9113 §8.2.2). */
export const allowedHeaders = (raw: ServerResponse, headers: OutgoingHttpHeaders): OutgoingHttpHeaders => {
  if (!isHttp2(raw)) return headers
  const { connection: _, 'keep-alive': _alive, 'transfer-encoding': _encoding, ...others } = headers
  return others
}

/** One entry of a header such as `Accept` or `Accept-Encoding`, without its other parameters. */
interface Preference {
  /** In lower case. */
  readonly name: string
  /** Quality value from 0, a refusal, to 1. */
  readonly weight: number
}

const WEIGHT = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/

/** A malformed weight counts as a refusal, so that no form is sent that the client may not have asked for. */
const weightIn = (parameters: readonly string[]): number => {
  const text = parameters.find(parameter => parameter.startsWith('q='))
  return text === undefined ? 1 : Number(WEIGHT.exec(text)?.[1] ?? 0)
}

/** Reads the entries of a header with quality values (RFC 9110 §12.4.2), in order: `br, gzip;q=0.5`. */
export const preferencesOf = (header: string | undefined): Preference[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map(entry => entry.split(';').map(part => part.trim()))
    .flatMap(([name = '', ...parameters]) => (name ? [{ name, weight: weightIn(parameters) }] : []))

type Header = string | number | string[] | undefined

/** Joins two values of `Vary` (RFC 9110 §12.5.5), each name once. */
export const joinVary = (before: Header, added: Header): string => {
  const names = [before ?? [], added ?? []].flatMap(one => String(one).split(','))
  const known = new Map(names.map(name => [name.trim().toLowerCase(), name.trim()]))
  return [...known.values()].filter(Boolean).join(', ')
}

/** Joined values of most responses: browsers' origins, and the encoding of what is large. */
const KNOWN_VARY = new Map([['Origin+Accept-Encoding', 'Origin, Accept-Encoding']])

/** Adds a header of the request to those that the response depends on. */
export const addVary = <Reply extends HttpReply>(reply: Reply, name: string): Reply => {
  const before = reply.getHeader('vary')
  reply.header(
    'vary',
    before === undefined ? name : (KNOWN_VARY.get(`${before}+${name}`) ?? joinVary(before, name)),
  )
  return reply
}

/** The encodings of this server; `br` is the better one where a client accepts both equally. */
export type ContentEncoding = 'br' | 'gzip'

/** Size in bytes below which compression saves no packet. */
export const MIN_BYTES = 1_024

/** Cheap settings: the default quality of 11 and window of 4 MiB are for content that is compressed once. */
const BROTLI: BrotliOptions = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
}
const GZIP = { level: 4 }

/** The encoding that a client prefers (RFC 9110 §12.5.3); undefined where it accepts neither, or names none. */
export function encodingOf(acceptEncoding: string | undefined): ContentEncoding | undefined {
  if (acceptEncoding === undefined) return undefined
  const weights = new Map(preferencesOf(acceptEncoding).map(({ name, weight }) => [name, weight]))
  const weightOf = (encoding: ContentEncoding): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  const weight = weightOf(best)
  return weight > 0 && weight >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Size in bytes that is compressed in a fifth of a millisecond, less than a hand-over to another thread costs. */
const SYNC_BYTES = 65_536

/** Compresses a whole body; a large one in zlib's own threads, so that other requests go on. */
export function encode(
  encoding: ContentEncoding,
  body: string | Buffer,
  done: (error: Error | null, encoded: Buffer) => void,
): void {
  if (Buffer.byteLength(body) <= SYNC_BYTES)
    done(null, encoding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP))
  else if (encoding === 'br') brotliCompress(body, BROTLI, done)
  else gzip(body, GZIP, done)
}

/** Makes a stream that compresses a body chunk by chunk. */
export const createEncoder = (encoding: ContentEncoding) =>
  encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP)

const TEXTS = /^(text\/|application\/([^;+]+[+])?(json|yaml|javascript|xml)\b)/

/** An event stream is sent event by event. */
const isText = (type: string): boolean => TEXTS.test(type) && !type.startsWith('text/event-stream')

/** Each encoding has an ETag of its own, so a route that set one has chosen the encoding already. */
const isDecided = (reply: HttpReply): boolean =>
  reply.hasHeader('content-encoding') || reply.hasHeader('content-range') || reply.hasHeader('etag')

/** A text has at least as many bytes as code units, so the bytes of a long one need not be counted. */
const isLarge = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  (payload.length >= MIN_BYTES || Buffer.byteLength(payload) >= MIN_BYTES)

/** `no-transform` forbids compression (RFC 9111 §5.2.2.6). */
const isCompressible = (reply: HttpReply, payload: unknown): payload is string | Buffer =>
  isLarge(payload) &&
  !isDecided(reply) &&
  !String(reply.getHeader('cache-control')).includes('no-transform') &&
  isText(String(reply.getHeader('content-type')))

/**
 * Compresses a response of 1 KiB and more, unless its client has it already. Bodies of requests are never decompressed.
 */
export function compress(
  request: HttpRequest,
  reply: HttpReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isVaried = isCompressible(reply, payload)
  if (isVaried) addVary(reply, 'Accept-Encoding')
  const encoding = isVaried ? encodingOf(request.headers['accept-encoding']) : undefined
  const isKnown = validate(request, reply, payload, encoding)
  // Of a HEAD the length is told, which is that of the whole (RFC 9110 §8.6).
  if (isKnown && request.method !== 'HEAD') return void done(null, null)
  if (!isVaried || encoding === undefined) return void done(null, payload)
  encode(encoding, payload, (error, encoded) => {
    if (error) return void done(error)
    reply.headers({ ...(!isKnown && { 'content-encoding': encoding }), 'content-length': encoded.length })
    done(null, encoded)
  })
}

/** Compresses the responses of a server. */
export function registerCompression(server: FastifyInstance): void {
  server.addHook('onSend', compress)
}
