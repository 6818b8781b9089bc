/** GraphQL requests: an operation in its envelope, and the ways in which either can be broken. */
import type { Draw } from './draw.ts'
import type { Made } from './graph-cases.ts'
import { hostileText, hostileValue } from './hostile.ts'

export interface GraphCase {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly raw?: string
}

const HASH = 'ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38'

const EXTENSIONS: readonly unknown[] = [
  { persistedQuery: { version: 1, sha256Hash: HASH } },
  { persistedQuery: { version: 2, sha256Hash: HASH } },
  { persistedQuery: { version: 1 } },
  { persistedQuery: null },
  { persistedQuery: [] },
  'none',
]

/** The text of the operation, cut, doubled or sprinkled. */
const spoil = (draw: Draw, query: string): string => {
  const [from, to] = [draw.below(query.length), draw.below(query.length)].toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  return draw.pick([
    query.slice(0, from) + query.slice(to),
    query.slice(0, to) + query.slice(from),
    `${query.slice(0, from)}${hostileText(draw)}${query.slice(from)}`,
    `${query} ${query}`,
    query.replace('{', '@include(if: $absent) @skip {'),
    `${query.replace('__typename', '...F')} fragment F on Query { ...F }`,
  ])
}

const envelope = (draw: Draw, { query, variables }: Made): unknown => {
  const text = draw.chance(10) ? spoil(draw, query) : query
  const request: Record<string, unknown> = { query: text, variables }
  if (draw.chance(3)) request['variables'] = hostileValue(draw)
  if (draw.chance(3)) request['operationName'] = hostileValue(draw)
  if (draw.chance(3)) request['extensions'] = draw.pick(EXTENSIONS)
  if (draw.chance(1)) request['query'] = hostileValue(draw)
  return draw.chance(1) ? [request] : request
}

const search = (request: unknown) => {
  const { query, variables } = request as Made
  return new URLSearchParams({
    query: String(query).toWellFormed(),
    variables: (JSON.stringify(variables) ?? '').toWellFormed(),
  })
}

/** A request to `/graphql`; now and then a GET, or of a type that a browser sends by itself. */
export function makeGraphCase(draw: Draw, made: Made, tokens: readonly string[]): GraphCase {
  const request = envelope(draw, made)
  const headers = {
    'content-type': draw.chance(2) ? 'text/plain' : 'application/json',
    ...(draw.chance(98) && { authorization: `Bearer ${draw.pick(tokens)}` }),
    ...(draw.chance(5) && { 'x-correlator': 'c-1' }),
  }
  const byGet = draw.chance(3) ? `/graphql?${search(request)}` : undefined
  return byGet && byGet.length < 12_000
    ? { method: 'GET', path: byGet, headers: { ...headers, 'apollo-require-preflight': '1' } }
    : { method: 'POST', path: '/graphql', headers, raw: JSON.stringify(request) }
}
