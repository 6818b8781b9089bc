/** Bodies of requests and responses: JSON, transferred within limits of time and memory. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ByteBudget, type ByteLimits } from '../async/limits.ts'
import { invalid, type ServiceError, unavailable } from '../errors/catalogue.ts'
import { combine } from '../errors/faults.ts'
import { scanJson } from '../values/json.ts'
import { decodeBody } from '../values/text.ts'
import type { HttpReply, HttpRequest } from './exchange.ts'
import { countThrottled, type LimitMetrics } from './limits.ts'
import { timeSpent } from './observe.ts'
import { cut, holdUntilClosed, isHttp2 } from './responses.ts'

const KIB = 1024

/** Bodies that declare no more bytes are not counted: all requests in flight together hold little by them. */
export const UNCOUNTED_BYTES = 16 * KIB

/** Limits of the bodies of one client's requests; requests without a token share one. */
const LIMITS: ByteLimits = { perOwner: 32 * KIB * KIB, inAll: 128 * KIB * KIB }

const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined

/** Bytes that a body declares, at most the limit of its route; a body in chunks counts as that limit. */
const declaredBytes = ({ headers, routeOptions: { bodyLimit } }: HttpRequest): number =>
  headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit

const declaresSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= UNCOUNTED_BYTES

/**
 * Counts a body that is not small from before it is read until its response closes.
 * @throws ServiceError SERVICE_UNAVAILABLE when it does not fit.
 */
const countBytes = (budget: ByteBudget, request: HttpRequest, reply: HttpReply): void => {
  if (declaresSmall(request.raw)) return
  const bytes = declaredBytes(request)
  if (bytes <= UNCOUNTED_BYTES) return
  const release = budget.take(request.principal?.clientId ?? '', bytes)
  if (!release) {
    countThrottled(request, 'process_body_bytes')
    throw unavailable('The large request bodies under way are as many as fit; send this one again shortly')
  }
  holdUntilClosed(request, reply, release)
}

/** The `code` of the error with which a body ends that took too long. */
export const SLOW_BODY = 'SLOW_BODY'

const slowBody = (ms: number) =>
  Object.assign(new Error(`The request body took longer than ${ms} ms`), { code: SLOW_BODY, statusCode: 400 })

/** Ends the reading of a body; the stream has no listener any more if the request was answered meanwhile. */
const abandon = (payload: NodeJS.ReadableStream, ms: number) => {
  if (payload.listenerCount('error') > 0) payload.emit('error', slowBody(ms))
}

const brokenOff = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' })

/** In HTTP/2 a body whose stream its client resets ends like a whole one, after the event `aborted`. */
const refuseBrokenOff = (request: HttpRequest, payload: NodeJS.ReadableStream) => {
  if (request.raw.httpVersionMajor !== 2) return
  payload.once('aborted', () => payload.listenerCount('error') > 0 && payload.emit('error', brokenOff()))
}

/** Limits the time of a body, and asks for it where its client waits for that (`Expect`, RFC 9110 §10.1.1). */
const boundTime = (request: HttpRequest, reply: HttpReply, payload: NodeJS.ReadableStream, ms: number) => {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  const { bodyTimeoutMs = ms } = request.routeOptions.config as { bodyTimeoutMs?: number }
  const left = Math.max(0, bodyTimeoutMs - timeSpent(request))
  const timer = setTimeout(() => abandon(payload, bodyTimeoutMs), left)
  const stop = () => clearTimeout(timer)
  payload.once('end', stop)
  holdUntilClosed(request, reply, stop)
}

/** The time that event streams wait for their readers too; enough for the largest response at 1 Mbit/s. */
const WRITE_MS = 60_000
/** Size in bytes that a connection takes at once, even when its client does not read. */
const SMALL = 16 * KIB

const isSmall = (payload: unknown): boolean =>
  payload == null || ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < SMALL)

/** Cuts the connection on which a response was not read within `ms` milliseconds: until then it is in memory. */
export function limitWriteTime({ raw }: HttpReply, payload: unknown, ms: number = WRITE_MS): void {
  // In HTTP/2 a client may refuse even the first byte of each of its many streams.
  if (isSmall(payload) && !isHttp2(raw)) return
  const timer = setTimeout(() => cut(raw), ms).unref()
  raw.once('close', () => clearTimeout(timer))
}

/** Limits the time to read each response of a server. */
export function registerWriteTime(server: FastifyInstance, ms?: number): void {
  server.addHook('onSend', (_, reply, payload, done) => {
    limitWriteTime(reply, payload, ms)
    done(null, payload)
  })
}

/** Message for a body of any other type. */
export const WRONG_TYPE = 'the content-type must be application/json, with charset=utf-8 or without'

const inexact = new WeakMap<HttpRequest, readonly ServiceError[]>()

/** Faults of the numbers in a body, for a route that reports all faults of a body. */
export const numberFaultsOf = (request: HttpRequest): readonly ServiceError[] => inexact.get(request) ?? []

/** Refuses a number that a double cannot keep, unless the route reports all faults (`reportsAll` in its `config`). */
const parse = (request: HttpRequest, text: string): unknown => {
  const faults = scanJson(text)
  const body = JSON.parse(text)
  const refusal = combine(faults)
  if (!refusal) return body
  if (!(request.routeOptions.config as { reportsAll?: boolean }).reportsAll) throw refusal
  inexact.set(request, faults)
  return body
}

/** Reports only the position: the parser's own message quotes the text around it, possibly a card's security code. */
const explain = ({ message }: SyntaxError) => {
  const place = /at position \d+/.exec(message)
  return `the request body is not JSON${place ? ` ${place[0]}` : ''}`
}

const JSON_TYPE = /^application\/([^\s/]+\+)?json$/
const UTF8 = /^charset=("utf-?8"|utf-?8)$/

/** Requires UTF-8, the encoding of JSON (RFC 8259 §8.1), and no other parameter of the type. */
const checkType = (type = '') => {
  // As nearly every client writes it.
  if (type === 'application/json') return
  const [name, ...given] = type.split(';').map(part => part.trim().toLowerCase())
  // An empty parameter is none (RFC 9110 §5.6.6).
  const parameters = given.filter(parameter => parameter !== '')
  const isUtf8 = parameters.length === 0 || (parameters.length === 1 && UTF8.test(parameters[0]!))
  if (!JSON_TYPE.test(name!) || !isUtf8) throw invalid(WRONG_TYPE)
}

/** Reads a body of JSON; undefined where it is empty. @throws ServiceError INVALID_ARGUMENT. */
export const readBody = (request: HttpRequest, bytes: Buffer): unknown => {
  try {
    checkType(request.headers['content-type'])
    const text = decodeBody(bytes)
    return text === '' ? undefined : parse(request, text)
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(explain(error)) : error
  }
}

const readJson = (
  request: HttpRequest,
  bytes: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
) => {
  let body: unknown
  try {
    body = readBody(request, bytes as Buffer)
  } catch (error) {
    return done(error as Error)
  }
  done(null, body)
}

/**
 * Reads bodies of `application/json` and `application/*+json`, with `charset=utf-8` or without.
 * @param ms time for a body from the arrival of its request's headers, in milliseconds; a route's `bodyTimeoutMs` in its
 * `config` takes precedence.
 */
export function registerBodies(server: FastifyInstance, ms: number, metrics?: LimitMetrics): void {
  const budget = new ByteBudget(LIMITS)
  metrics?.slots.watch('body_bytes', () => ({ inUse: budget.taken, limit: LIMITS.inAll }))
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response))
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (mayHaveBody(request.raw)) {
      countBytes(budget, request, reply)
      refuseBrokenOff(request, payload)
      if (!request.raw.complete) boundTime(request, reply, payload, ms)
    }
    done(null, payload)
  })
  registerWriteTime(server)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)
  server.addContentTypeParser(/^application\/.+\+json/i, { parseAs: 'buffer' }, readJson)
}
