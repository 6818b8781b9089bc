/** Whatever fails in the graph leaves with a code of the catalogue and its HTTP status, and nothing else. */
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import { toServiceError } from '../data/database-errors.ts'
import { isCatalogued, ServiceError } from '../errors/catalogue.ts'
import { oneByOne } from '../errors/faults.ts'
import type { Logger } from '../observability/log.ts'
import { operationFault } from './operation-fault.ts'

/** A GraphQLError without an original error is the executor's own: the request asked for something impossible. */
const causeOf = (error: GraphQLError, hidden: GraphQLSchema | undefined): ServiceError => {
  const { originalError: original, extensions } = error
  if (!original || original instanceof GraphQLError) {
    // The error of a stream, or one that has been here before, says itself what it is.
    const { code } = extensions
    if (isCatalogued(code)) return new ServiceError(code, error.message, { extensions })
    return operationFault(error.message, hidden)
  }
  return toServiceError(original)
}

/** What stands in `extensions` beside `code` and `http`: texts, and what the value may be. */
const TEXTS = ['field', 'reason', 'sentence', 'existingId', 'cursor']

/** Of an error's extensions those that clients are told (docs/graph.md, "Errors"). */
export const toldOf = (extensions: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => {
  const { limit } = extensions
  const texts = TEXTS.map(name => [name, extensions[name]]).filter(([, text]) => typeof text === 'string')
  return { ...Object.fromEntries(texts), ...(typeof limit === 'object' && limit !== null && { limit }) }
}

/**
 * The errors as they go over the wire, one for each fault of an input: message, place, and `extensions` with `code`,
 * `http.status` and what clients are told alone.
 * @param hidden the schema where clients may not read it.
 * @param log gives where what is not foreseen is logged, which is seldom.
 */
export function formatGraphError(
  error: GraphQLError,
  log: () => Logger,
  hidden?: GraphQLSchema,
): GraphQLFormattedError[] {
  const cause = causeOf(error, hidden)
  if (cause.code === 'SERVER_ERROR')
    log().error({ err: error.originalError, path: error.path }, 'unexpected failure')
  const { locations, path } = error.toJSON()
  return oneByOne(cause).map(({ message, extensions, code, status }) => ({
    message,
    locations,
    path,
    extensions: { ...toldOf(extensions), code, http: { status } },
  }))
}
