/** The media type of an answer, as its client accepts it (GraphQL over HTTP, "Media Types"), and the status that goes with it. */
import { LRUCache } from 'lru-cache'
import { invalid, type ServiceError } from '#core/errors/catalogue.ts'
import { preferencesOf } from '#core/http/encoding.ts'

const JSON_TYPE = 'application/json'
const GRAPHQL_TYPE = 'application/graphql-response+json'

/** Ours, in the order of which they are preferred where the client takes both alike. */
const TYPES = [JSON_TYPE, GRAPHQL_TYPE] as const

export type ResponseType = (typeof TYPES)[number]

/** From the most specific range on, the first of which says how well a type is liked (RFC 9110 §12.5.1). */
const rangesOf = (type: ResponseType) => [type, 'application/*', '*/*']

interface Liked {
  readonly type: ResponseType
  readonly weight: number
  /** How general the range is by which it is accepted, and where that stands in the header. */
  readonly range: number
  readonly place: number
}

const likedTypes = (accept: string): Liked[] => {
  const preferences = preferencesOf(accept)
  const names = preferences.map(({ name }) => name)
  return TYPES.flatMap(type => {
    const range = rangesOf(type).findIndex(one => names.includes(one))
    const place = names.indexOf(rangesOf(type)[range] ?? '')
    const weight = preferences[place]?.weight ?? 0
    return weight > 0 ? [{ type, weight, range, place }] : []
  })
}

const better = (one: Liked, other: Liked): number =>
  other.weight - one.weight || one.range - other.range || one.place - other.place

/** As many values of `Accept` as there are browsers and libraries, and some more. */
const known = new LRUCache<string, { readonly type: ResponseType | undefined }>({ max: 100 })

/** The type that a client likes best; undefined where it accepts none of ours. */
export const responseTypeOf = (accept: string | undefined): ResponseType | undefined => {
  if (!accept) return JSON_TYPE
  const found = known.get(accept) ?? { type: likedTypes(accept).toSorted(better)[0]?.type }
  known.set(accept, found)
  return found.type
}

/** The same with its charset; JSON where none is accepted, since something has to be said. */
export const contentTypeOf = (accept: string | undefined): string =>
  `${responseTypeOf(accept) ?? JSON_TYPE}; charset=utf-8`

/** 406, before anything is executed whose result nobody would read. */
export const notAcceptable = (): ServiceError =>
  invalid(`Answers are ${TYPES.join(' or ')}, neither of which is in Accept`, { status: 406 })

/**
 * Whether a client asked for `application/json` by its name, and likes it best: then the answer to a well-formed request
 * has the status 200, since such a client believes no other to come from here (GraphQL over HTTP, "application/json").
 */
export const believesOnly200 = (accept: string | undefined): boolean =>
  responseTypeOf(accept) === JSON_TYPE && preferencesOf(accept).some(({ name }) => name === JSON_TYPE)
