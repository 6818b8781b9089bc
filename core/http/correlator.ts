/** Correlators: ids of requests, which clients may choose. */
import { randomUUID } from 'node:crypto'

/** Header with the id of a request, the client's own or a new one: on every response and in every log line. */
export const CORRELATOR = 'x-correlator'

/** docs/decisions.md, "Failures". */
const WELL_FORMED = /^[A-Za-z0-9\-_:;./<>{}]{1,256}$/

type Headers = Record<string, unknown>

/** The correlator of the request if it is well-formed. */
const sentCorrelator = (headers: Headers): string | undefined => {
  const value = headers[CORRELATOR]
  return typeof value === 'string' && WELL_FORMED.test(value) ? value : undefined
}

/** Makes the id of a request, which Fastify keeps as `request.id`. */
export const requestCorrelator = (request: { headers: Headers }): string =>
  sentCorrelator(request.headers) ?? randomUUID()

/** Whether the correlator is well-formed, or there is none; an empty header counts as absent. */
export const hasFitCorrelator = (headers: Headers): boolean =>
  !headers[CORRELATOR] || sentCorrelator(headers) !== undefined
