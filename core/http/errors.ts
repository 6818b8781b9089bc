/** Failures of HTTP requests: every one is sent as the contract's ErrorInfo, and those of the server are logged. */
import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { toServiceError } from '../data/database-errors.ts'
import { invalid, notFound, ServiceError, toRest } from '../errors/catalogue.ts'
import { SLOW_BODY, WRONG_TYPE } from './bodies.ts'
import type { HttpReply, HttpRequest } from './exchange.ts'
import { CORRELATOR } from './pre-auth.ts'
import { allowedHeaders } from './responses.ts'

/** Fastify's own refusals of a request, in the contract's words. */
const REQUEST_FAULTS: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: WRONG_TYPE,
  FST_ERR_CTP_BODY_TOO_LARGE: 'the request body must not be larger than 1 MiB',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the request body does not have the length that content-length says',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the request body must not be empty',
  [SLOW_BODY]: 'the request body did not come in time',
}

/** Malformed paths are 404: reading by id declares that status, and not 400. */
const PATH_FAULTS = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'])

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** Whether the client left before it had sent all of its request. */
const isAbort = (error: Error): boolean => codeOf(error) === 'ECONNRESET' && error.message === 'aborted'

/** Translates the failure of a request, Fastify's own refusals included, into the catalogue. */
export const requestFailure = (error: Error): ServiceError => {
  if (error instanceof ServiceError) return error
  if (isAbort(error)) return invalid('the request was broken off')
  const code = codeOf(error)
  if (PATH_FAULTS.has(code)) return notFound('What the path names was')
  const fault = REQUEST_FAULTS[code]
  return fault ? invalid(fault) : toServiceError(error)
}

/**
 * Keeps the connection of a body that says it is too large, which Fastify would close. A proxy that is still sending would
 * find it reset, and answer 502 in place of the refusal. The rest of the body is read and thrown away, within the
 * request's limit of time.
 */
export const keepConnection = (error: Error, request: HttpRequest, reply: HttpReply): void => {
  const isDeclared = request.headers['content-length'] !== undefined
  if (isDeclared && codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') reply.removeHeader('connection')
}

/** Lists have one code for every 400 (docs/decisions.md, "Lists"). */
const forRoute = (error: ServiceError, request: HttpRequest): ServiceError => {
  const isList = request.routeOptions.config.isList
  return isList && error.status === 400 ? new ServiceError('OUT_OF_RANGE', error.message, error) : error
}

/** Refusals come by the thousand in a flood: one log line for each client and reason in this time, in milliseconds. */
const QUIET_MS = 10_000
const MAX_REMEMBERED_REFUSALS = 1_000

interface LoggedRefusal {
  readonly at: number
  /** Number of the same refusals since then, which were not logged. */
  unlogged: number
}

const loggedRefusals = new WeakMap<Server, LRUCache<string, LoggedRefusal>>()

/** Whether the server refused because it is too busy: no part of it has failed. */
const isRefusal = (error: Error): error is ServiceError =>
  error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE' && error.cause === undefined

/** Logs a refusal with the number of the same ones before it, unless the last line of its kind is recent. */
function logRefusal(request: HttpRequest, { message }: ServiceError): void {
  const { server } = request.server
  const logged = loggedRefusals.get(server) ?? new LRUCache({ max: MAX_REMEMBERED_REFUSALS })
  loggedRefusals.set(server, logged)
  const clientId = request.principal?.clientId
  const key = `${clientId} ${message}`
  const last = logged.get(key)
  const now = performance.now()
  if (last && now - last.at < QUIET_MS) {
    last.unlogged += 1
    return
  }
  logged.set(key, { at: now, unlogged: 0 })
  request.log.warn({ clientId, refused: 1 + (last?.unlogged ?? 0) }, message)
}

/** Logs failures of the server, and requests that their client broke off, which leave no other trace. */
export const logFailure = (request: HttpRequest, error: Error, response: ServiceError): void => {
  if (isAbort(error)) request.log.info('the client broke the request off')
  else if (response.code === 'SERVER_ERROR') request.log.error({ err: error }, 'unexpected failure')
  else if (isRefusal(error)) logRefusal(request, error)
  else if (response.status >= 500) request.log.warn({ err: error }, response.message)
}

/** Prepares the reply to a failure, and logs the failure. @returns what it says. */
const beginFailure = (error: Error, request: HttpRequest, reply: HttpReply): ServiceError => {
  const response = forRoute(requestFailure(error), request)
  logFailure(request, error, response)
  keepConnection(error, request, reply)
  request.facts?.fail(response)
  reply.code(response.status).headers({ [CORRELATOR]: request.id, ...response.headers })
  return response
}

/**
 * Sends any failure with its status, headers and ErrorInfo. The correlator is set here too, since a request with an
 * unreadable path never meets the hook that sets it.
 * @param more further members of the body, on a path that belongs to no contract.
 */
export function sendFailure(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  more: (response: ServiceError) => object = () => ({}),
): FastifyReply {
  const response = beginFailure(error, request, reply)
  return reply.type('application/json').send({ ...toRest(response), ...more(response) })
}

/** Sends a failure on the direct way. @param write writes a body as the contract of the route has it for a status. */
export function sendFailureDirectly(
  error: Error,
  request: HttpRequest,
  reply: HttpReply,
  write: (status: number, body: object) => string,
): HttpReply {
  const response = beginFailure(error, request, reply)
  return reply.type('application/json; charset=utf-8').send(write(response.status, toRest(response)))
}

/** An ES import of it would load Node's own fetch and WebSocket, which nothing here uses. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Refusals of the HTTP parser by Node's error codes; any other code means that the bytes are not HTTP. */
const PARSER_REFUSALS: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}

const headersOf = (body: string, correlator: string = randomUUID()) => ({
  [CORRELATOR]: correlator,
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
})

/** Writes a refusal as the response on a bare connection, which ends with it. */
export function refusalText(error: ServiceError, correlator?: string): string {
  const { status } = error
  const body = JSON.stringify(toRest(error))
  const headers = { ...error.headers, ...headersOf(body, correlator) }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`
}

/** Answers on the bare connection, but not after an earlier response: the client could mistake this one for it. */
export function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy()
  const [status, message] = PARSER_REFUSALS[error.code ?? ''] ?? [400, 'The request is not HTTP/1.1']
  socket.end(refusalText(invalid(message, { status })), () => socket.destroy())
}

/** Answers 417 to an `Expect` other than `100-continue` (RFC 9110 §10.1.1). */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const body = JSON.stringify(toRest(invalid('Expect may be 100-continue alone', { status: 417 })))
    response.writeHead(417, allowedHeaders(response, headersOf(body))).end(body)
  })
}
