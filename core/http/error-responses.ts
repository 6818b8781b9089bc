/** Whatever fails on a REST path leaves as the contract's ErrorInfo. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toServiceError } from '../data/database-errors.ts'
import { invalid, notFound, ServiceError, toRest } from '../errors/catalogue.ts'
import { SLOW_BODY, WRONG_TYPE } from './bodies.ts'
import { CORRELATOR } from './correlator.ts'
import { isRefusal, noteRefusal } from './refusal-log.ts'

/** Fastify's own refusals of a request, in the contract's words. */
const REQUEST_FAULTS: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: WRONG_TYPE,
  FST_ERR_CTP_BODY_TOO_LARGE: 'the request body must not be larger than 1 MiB',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the request body does not have the length that content-length says',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the request body must not be empty',
  [SLOW_BODY]: 'the request body did not come in time',
}

/** Paths that cannot name anything: nothing is there (reading by id declares 404, not 400). */
const PATH_FAULTS = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'])

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '')

/** What Node says of a request whose client went before it had sent all of it. */
const isAbort = (error: Error): boolean => codeOf(error) === 'ECONNRESET' && error.message === 'aborted'

/** The failure of an HTTP request as the catalogue knows it, Fastify's own refusals included. */
export const requestFailure = (error: Error): ServiceError => {
  if (error instanceof ServiceError) return error
  if (isAbort(error)) return invalid('the request was broken off')
  const code = codeOf(error)
  if (PATH_FAULTS.has(code)) return notFound('What the path names was')
  const fault = REQUEST_FAULTS[code]
  return fault ? invalid(fault) : toServiceError(error)
}

/** Lists know one code for every 400 (docs/decisions.md, "Lists"). */
const forRoute = (error: ServiceError, request: FastifyRequest): ServiceError => {
  const isList = (request.routeOptions.config as { isList?: boolean }).isList
  return isList && error.status === 400 ? new ServiceError('OUT_OF_RANGE', error.message, error) : error
}

/** Logs what is not the client's fault, and that a client has gone, which nothing else would tell. */
export const logFailure = (request: FastifyRequest, error: Error, response: ServiceError): void => {
  if (isAbort(error)) request.log.info('the client broke the request off')
  else if (response.code === 'SERVER_ERROR') request.log.error({ err: error }, 'unexpected failure')
  else if (isRefusal(error)) noteRefusal(request, error)
  else if (response.status >= 500) request.log.warn({ err: error }, response.message)
}

/**
 * Answers any failure with its status, headers and ErrorInfo; a path that cannot be read never met the correlator's hook.
 * @param told what stands in the body beside ErrorInfo, on a path that is of no contract.
 */
export function sendFailure(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  told: (response: ServiceError) => object = () => ({}),
): FastifyReply {
  const response = forRoute(requestFailure(error), request)
  logFailure(request, error, response)
  return reply
    .code(response.status)
    .headers({ [CORRELATOR]: request.id, ...response.headers })
    .type('application/json')
    .send({ ...toRest(response), ...told(response) })
}
