/** Whatever fails in the graph leaves with a code of the catalogue and its HTTP status, and nothing else. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { toServiceError } from '../data/database-errors.ts'
import { invalid, isCatalogued, ServiceError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { redactValues } from './redact-values.ts'

/** A GraphQLError without an original error is the executor's own: the request asked for something impossible. */
const causeOf = (error: GraphQLError): ServiceError => {
  const { originalError: original, extensions } = error
  if (!original || original instanceof GraphQLError) {
    // The error of a stream, or one that has been here before, says itself what it is.
    const { code } = extensions
    if (isCatalogued(code)) return new ServiceError(code, error.message, { extensions })
    return invalid(redactValues(error.message))
  }
  return toServiceError(original)
}

/** Where to resume after a subscription that had to end, and the id of what a request would have posted again. */
const DETAILS = ['cursor', 'existingId']

/** What may stand in `extensions` beside code and status. */
export const detailsOf = (extensions: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(
    DETAILS.filter(name => typeof extensions[name] === 'string').map(name => [name, extensions[name]]),
  )

/** The error as it goes over the wire: message, place, and `extensions` with `code`, `http.status` and details alone. */
export function formatGraphError(error: GraphQLError, log: Logger): GraphQLFormattedError {
  const cause = causeOf(error)
  if (cause.code === 'SERVER_ERROR')
    log.error({ err: error.originalError, path: error.path }, 'unexpected failure')
  const { locations, path } = error.toJSON()
  return {
    message: cause.message,
    locations,
    path,
    extensions: { ...detailsOf(cause.extensions), code: cause.code, http: { status: cause.status } },
  }
}
