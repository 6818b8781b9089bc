/** Whatever fails in the graph leaves with a code of the catalogue and its HTTP status, and nothing else. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { fromDatabase } from '../data/failures.ts'
import { asServiceError, invalid, ServiceError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { withoutQuotations } from './quotations.ts'

/** A GraphQLError without an original error is the executor's own: the request asked for something impossible. */
const causeOf = (error: GraphQLError): ServiceError => {
  const original = error.originalError
  if (original instanceof ServiceError) return original
  if (!original || original instanceof GraphQLError) return invalid(withoutQuotations(error.message))
  return fromDatabase(original) ?? asServiceError(original)
}

/** The error as it goes over the wire: message, place, and `extensions` with `code` and `http.status` alone. */
export function formatGraphError(error: GraphQLError, log: Logger): GraphQLFormattedError {
  const cause = causeOf(error)
  if (cause.code === 'SERVER_ERROR')
    log.error({ err: error.originalError, path: error.path }, 'unexpected failure')
  const { locations, path } = error.toJSON()
  return {
    message: cause.message,
    locations,
    path,
    extensions: { code: cause.code, http: { status: cause.status } },
  }
}
