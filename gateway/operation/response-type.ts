/** Media type of a response, as its client accepts it (GraphQL over HTTP, "Media Types"), and the status for it. */
import { LRUCache } from 'lru-cache'
import { invalid, type ServiceError } from '#core/errors/catalogue.ts'
import { preferencesOf } from '#core/http/encoding.ts'

const JSON_TYPE = 'application/json'
const GRAPHQL_TYPE = 'application/graphql-response+json'

/** Types of responses, in the order of preference where the client accepts both alike. */
const TYPES = [JSON_TYPE, GRAPHQL_TYPE] as const

export type ResponseType = (typeof TYPES)[number]

/** Media ranges of a type, the most specific first, which decides (RFC 9110 §12.5.1). */
const rangesOf = (type: ResponseType) => [type, 'application/*', '*/*']

interface Accepted {
  readonly type: ResponseType
  readonly weight: number
  /** Index in `rangesOf` of the range by which it is accepted, and its position in the header. */
  readonly range: number
  readonly place: number
}

const acceptedTypes = (accept: string): Accepted[] => {
  const preferences = preferencesOf(accept)
  const names = preferences.map(({ name }) => name)
  return TYPES.flatMap(type => {
    const range = rangesOf(type).findIndex(one => names.includes(one))
    const place = names.indexOf(rangesOf(type)[range] ?? '')
    const weight = preferences[place]?.weight ?? 0
    return weight > 0 ? [{ type, weight, range, place }] : []
  })
}

const better = (one: Accepted, other: Accepted): number =>
  other.weight - one.weight || one.range - other.range || one.place - other.place

/** Types by `Accept`: more values than there are browsers and libraries. */
const known = new LRUCache<string, { readonly type: ResponseType | undefined }>({ max: 100 })

/** Finds the type that a client prefers; undefined where it accepts none. */
export const responseTypeOf = (accept: string | undefined): ResponseType | undefined => {
  if (!accept) return JSON_TYPE
  const found = known.get(accept) ?? { type: acceptedTypes(accept).toSorted(better)[0]?.type }
  known.set(accept, found)
  return found.type
}

/** Finds the same with its charset; JSON where none is accepted, for the error. */
export const contentTypeOf = (accept: string | undefined): string =>
  `${responseTypeOf(accept) ?? JSON_TYPE}; charset=utf-8`

/** Makes the error 406, which comes before anything is executed. */
export const notAcceptable = (): ServiceError =>
  invalid(`Answers are ${TYPES.join(' or ')}, neither of which is in Accept`, { status: 406 })

/**
 * Whether a client names `application/json` and prefers it: then the response to a well-formed request has the status 200,
 * since such a client ignores the body of any other (GraphQL over HTTP, "application/json").
 */
export const takesOnly200 = (accept: string | undefined): boolean =>
  responseTypeOf(accept) === JSON_TYPE && preferencesOf(accept).some(({ name }) => name === JSON_TYPE)
