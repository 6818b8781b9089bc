/** `x-correlator`: the request's own id or a new one, on every response and in every log line. */
import { randomUUID } from 'node:crypto'
import { invalid } from '../errors/catalogue.ts'

export const CORRELATOR = 'x-correlator'

/** docs/decisions.md, "Failures". */
const WELL_FORMED = /^[A-Za-z0-9\-_:;./<>{}]{1,256}$/

type Headers = Record<string, unknown>

/** The header as it was sent; an empty one counts as absent. */
const givenIn = (headers: Headers): unknown => headers[CORRELATOR] || undefined

const headerOf = (headers: Headers): string | undefined => {
  const value = givenIn(headers)
  return typeof value === 'string' && WELL_FORMED.test(value) ? value : undefined
}

/** The id of a request, from which Fastify makes `request.id`. */
export const correlatorOf = (request: { headers: Headers }): string =>
  headerOf(request.headers) ?? randomUUID()

/** @throws ServiceError INVALID_ARGUMENT for a malformed one. */
export const checkCorrelator = (headers: Headers): void => {
  if (givenIn(headers) !== undefined && headerOf(headers) === undefined)
    throw invalid('x-correlator must be 1 to 256 letters, digits and -_:;./<>{}')
}
