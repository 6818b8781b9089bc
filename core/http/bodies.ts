/** The bodies of requests and responses: read and written in time, within bounds of memory, as JSON. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ByteBudget, type ByteLimits } from '../async/byte-budget.ts'
import { invalid, type ServiceError, unavailable } from '../errors/catalogue.ts'
import { combine } from '../errors/faults.ts'
import { decodeBody } from '../values/text.ts'
import { scanJson } from './json-scan.ts'
import { holdUntilClosed } from './load-shedding.ts'
import { timeSpent } from './time-spent.ts'

const KIB = 1024

/** A body that says it is no longer is not counted: as many as may be in flight hold next to nothing. */
const UNCOUNTED = 16 * KIB

/** Of the bodies of one client's requests; those without a token share one. */
const LIMITS: ByteLimits = { perHolder: 32 * KIB * KIB, inAll: 128 * KIB * KIB }

const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined ||
  headers['transfer-encoding'] !== undefined ||
  headers.expect !== undefined

/** What a body declares to hold, up to what its route reads of one; a body in chunks declares nothing. */
const declaredBytes = ({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined
    ? Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
    : bodyLimit

const saysItIsSmall = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= UNCOUNTED

const tooLarge = () =>
  unavailable('The large request bodies under way are as many as fit; send this one again shortly')

/**
 * Counts a body that is not small from before it is read until its request is answered.
 * @throws ServiceError SERVICE_UNAVAILABLE when it does not fit.
 */
const countBytes = (budget: ByteBudget, request: FastifyRequest, reply: FastifyReply): void => {
  if (saysItIsSmall(request.raw)) return
  const bytes = declaredBytes(request)
  if (bytes <= UNCOUNTED) return
  const release = budget.take(request.principal?.clientId ?? '', bytes)
  if (!release) throw tooLarge()
  holdUntilClosed(request, reply, release)
}

/** The `code` of the error that a body ends with that took too long. */
export const SLOW_BODY = 'SLOW_BODY'

const slowBody = (ms: number) =>
  Object.assign(new Error(`The request body took longer than ${ms} ms`), { code: SLOW_BODY, statusCode: 400 })

/** Ends the reading of a body; nobody listens any more when the request was answered meanwhile. */
const giveUp = (payload: NodeJS.ReadableStream, ms: number) => {
  if (payload.listenerCount('error') > 0) payload.emit('error', slowBody(ms))
}

/** Waits for a body so long and no longer; one that its client waits to be asked for is asked for (RFC 9110 §10.1.1). */
const boundTime = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: NodeJS.ReadableStream,
  ms: number,
) => {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
  const { bodyTimeoutMs = ms } = request.routeOptions.config as { bodyTimeoutMs?: number }
  const left = Math.max(0, bodyTimeoutMs - timeSpent(request))
  const timer = setTimeout(() => giveUp(payload, bodyTimeoutMs), left)
  const stop = () => clearTimeout(timer)
  payload.once('end', stop)
  holdUntilClosed(request, reply, stop)
}

/** As long as event streams wait for their readers, and enough for the largest response at 1 Mbit/s. */
const WRITE_MS = 60_000
/** What connections take at once, whether their clients read or not. */
const SMALL = 16 * KIB

const isSmall = (payload: unknown): boolean =>
  payload == null || ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length < SMALL)

/** Cuts off, so many milliseconds after a response is ready, who has not read it: until then it stands in memory. */
export function registerWriteTime(server: FastifyInstance, ms: number = WRITE_MS): void {
  server.addHook('onSend', (_, reply, payload, done) => {
    if (!isSmall(payload)) {
      const timer = setTimeout(() => reply.raw.destroy(), ms).unref()
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}

/** What is said of a body of any other type. */
export const WRONG_TYPE = 'the content-type must be application/json, with charset=utf-8 or without'

const inexact = new WeakMap<FastifyRequest, readonly ServiceError[]>()

/** What is refused of the numbers in a body, by a route that tells all that is wrong with one. */
export const numberFaultsOf = (request: FastifyRequest): readonly ServiceError[] => inexact.get(request) ?? []

/** A number that a double cannot hold refuses the body, unless its route tells everything (`tellsAll` in its `config`). */
const parse = (request: FastifyRequest, text: string): unknown => {
  const faults = scanJson(text)
  const body = JSON.parse(text)
  const refusal = combine(faults)
  if (!refusal) return body
  if (!(request.routeOptions.config as { tellsAll?: boolean }).tellsAll) throw refusal
  inexact.set(request, faults)
  return body
}

/** Only the place: the parser's own words quote the text around it, which may be a card's security code. */
const explain = ({ message }: SyntaxError) => {
  const place = /at position \d+/.exec(message)
  return `the request body is not JSON${place ? ` ${place[0]}` : ''}`
}

const isSyntax = (error: unknown): error is SyntaxError => error instanceof SyntaxError

const JSON_TYPE = /^application\/([^\s/]+\+)?json$/
const UTF8 = /^charset=("utf-?8"|utf-?8)$/

/** JSON texts are UTF-8 (RFC 8259 §8.1), and no other parameter of the type means anything to us. */
const checkType = (type = '') => {
  const [name, ...given] = type.split(';').map(part => part.trim().toLowerCase())
  // An empty parameter is none (RFC 9110 §5.6.6).
  const parameters = given.filter(parameter => parameter !== '')
  const isUtf8 = parameters.length === 0 || (parameters.length === 1 && UTF8.test(parameters[0]!))
  if (!JSON_TYPE.test(name!) || !isUtf8) throw invalid(WRONG_TYPE)
}

type Done = (error: Error | null, body?: unknown) => void

/** Malformed text is the client's fault. */
const readJson = (request: FastifyRequest, bytes: string | Buffer, done: Done) => {
  try {
    checkType(request.headers['content-type'])
    const text = decodeBody(bytes as Buffer)
    done(null, text === '' ? undefined : parse(request, text))
  } catch (error) {
    done(isSyntax(error) ? invalid(explain(error)) : (error as Error))
  }
}

/**
 * Reads bodies of `application/json` and `application/*+json`, with `charset=utf-8` or without.
 * @param ms when a body must be there, in milliseconds from the request's headers; a route's `bodyTimeoutMs` in its `config`
 * goes before it.
 */
export function registerBodies(server: FastifyInstance, ms: number): void {
  const budget = new ByteBudget(LIMITS)
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response))
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (mayHaveBody(request.raw)) {
      countBytes(budget, request, reply)
      if (!request.raw.complete) boundTime(request, reply, payload, ms)
    }
    done(null, payload)
  })
  registerWriteTime(server)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)
  server.addContentTypeParser(/^application\/.+\+json/i, { parseAs: 'buffer' }, readJson)
}
