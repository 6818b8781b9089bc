/**
 * Errors of fetches with the paths that they have in the client's answer. A fetch that fails as a whole (a subgraph that
 * is down, or late) says of none of its fields that it failed: here each gets an error of its own.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { entitiesAt, indexesOf } from './entity-places.ts'
import { placesOf } from './fetch-places.ts'
import { representationsOf } from './operation-text.ts'
import type { Fetch, SubgraphSource } from './transport.ts'

type Result = FormattedExecutionResult

/** Of a fetch that failed as a whole so many places are told one by one: a page of entities and a few fields of each. */
const MAX_PLACES = 100

/** The message by name: that of a GraphQLError is not among what a spread takes. */
const at = (error: GraphQLFormattedError, path: readonly (string | number)[]): GraphQLFormattedError => ({
  ...error,
  message: error.message,
  path,
})

/** What a subgraph says of the operation it was sent is about a field, but of no entity more than of another. */
const isPlaced = ({ path }: GraphQLFormattedError): boolean =>
  path !== undefined && (path[0] !== '_entities' || typeof path[1] === 'number')

/** The same error at each field of the fetch. */
const tellEach = (errors: readonly GraphQLFormattedError[], { request }: Fetch) => {
  const places = placesOf(request.query!, request.variables ?? {}, MAX_PLACES)
  const told = errors.flatMap(error => (isPlaced(error) ? [error] : places.map(place => at(error, place))))
  return places.length === 0 ? errors : told.slice(0, MAX_PLACES)
}

/** What the root fetches of each operation brought, into which the executor merges whatever follows. */
const results = new WeakMap<object, unknown[]>()

const resultsOf = (options: Fetch): unknown[] => {
  if (!options.incomingRequestContext) return []
  const known = results.get(options.incomingRequestContext) ?? []
  results.set(options.incomingRequestContext, known)
  return known
}

/**
 * The executor takes the n-th representation for the n-th entity at the place of the fetch, which it is not where
 * entities of several types stand there, as in a timeline: here it is told which entity is meant.
 */
const aimAtEntities = (errors: readonly GraphQLFormattedError[], options: Fetch) => {
  const representations = representationsOf(options.request)
  const { pathInIncomingRequest: place } = options
  if (!representations || !place) return errors
  const entities = resultsOf(options).flatMap(result => entitiesAt(result, place))
  const indexes = indexesOf(representations, entities)
  return errors.map(error => {
    const [field, index, ...rest] = error.path ?? []
    const own = field === '_entities' && typeof index === 'number' ? indexes[index] : undefined
    return own === undefined ? error : at(error, ['_entities', own, ...rest])
  })
}

const place = (result: Result, options: Fetch): Result => {
  if (!result.errors) return result
  const errors = result.data ? result.errors : tellEach(result.errors, options)
  return { ...result, errors: aimAtEntities(errors, options) }
}

/** A source whose errors have the paths of the client's answer. */
export const withErrorPaths = (source: SubgraphSource): SubgraphSource => ({
  async process(options) {
    const result = await source.process(options)
    if (result.data && !representationsOf(options.request)) resultsOf(options).push(result.data)
    return place(result, options)
  },
})
