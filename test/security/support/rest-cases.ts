/** REST requests made of the OpenAPI documents: what fits, changed at a few places. */
import { SERVICES } from '#subgraphs/names.ts'
import { withField, withoutField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import { type DocumentedOperation, documentedOperations } from '../../support/openapi.ts'
import { placesOf, queryOf } from './contract-bodies.ts'
import type { Draw } from './draw.ts'
import { DATES, hostileText, hostileValue } from './hostile.ts'

export interface RestCase {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly raw?: string
}

/** Existing data that a case may use. */
export interface Known {
  readonly tokens: readonly string[]
  readonly ids: readonly string[]
}

export const OPERATIONS: readonly DocumentedOperation[] = SERVICES.filter(({ rest }) => rest).flatMap(
  ({ name }) => documentedOperations(name),
)

const PLACES = new Map(OPERATIONS.map(one => [one, placesOf(one)]))
const QUERIES = new Map(OPERATIONS.map(one => [one, queryOf(one)]))

/** Values that queries and paths are made of when they are to fit. */
const FITTING = ['1', '50', '2026-01-01', '96891000001', '+96892000001', '100001', '24000003', 'c-1']

const fixtureOf = ({ path }: DocumentedOperation) => FIXTURES.find(one => one.path === path)!

/** Only where what the path leads through is still there. */
const change = (body: unknown, path: string, value: unknown, take: boolean) => {
  try {
    return take ? withoutField(body, path) : withField(body, path, value)
  } catch {
    return body
  }
}

const bodyFor = (draw: Draw, operation: DocumentedOperation): unknown => {
  let body: unknown = fixtureOf(operation).body()
  for (let changes = draw.below(4); changes > 0; changes--)
    body = change(body, draw.pick(PLACES.get(operation)!).path, hostileValue(draw), draw.chance(20))
  return body
}

/** Texts that are no JSON, or JSON that few expect. */
const spoil = (draw: Draw, text: string): string => {
  const at = draw.below(text.length)
  return draw.pick([
    text.slice(0, at),
    `${text.slice(0, at)}${hostileText(draw)}${text.slice(at)}`,
    text.replace(/\d+(\.\d+)?/, `0.${'0'.repeat(draw.below(3_000))}1`),
    text.replace(/:"[^"]*"/, ':12345678901234567890'),
    `[${text}]`,
    JSON.stringify(hostileValue(draw)),
    `${'['.repeat(2_500)}"1234567890123456"${']'.repeat(2_500)}`,
    '',
  ])
}

const rawFor = (draw: Draw, operation: DocumentedOperation) => {
  const text = JSON.stringify(operation.body ? bodyFor(draw, operation) : {})
  return draw.chance(10) ? spoil(draw, text) : text
}

const wellFormed = (text: string) => text.toWellFormed()

const queryFor = (draw: Draw, operation: DocumentedOperation): string => {
  const names = QUERIES.get(operation)!.filter(() => draw.chance(40))
  if (draw.chance(5)) names.push(hostileText(draw), ...names)
  const value = () =>
    draw.chance(50) ? draw.pick(FITTING) : draw.chance(30) ? draw.pick(DATES) : hostileText(draw)
  return new URLSearchParams(
    names.map((name): [string, string] => [wellFormed(name), wellFormed(value())]),
  ).toString()
}

const SEGMENTS = [
  '%00',
  '%ZZ',
  '%2e%2e',
  '%C0%AF',
  '{}',
  'x'.repeat(600),
  '00000000-0000-0000-0000-000000000000',
]

const pathFor = (draw: Draw, { path }: DocumentedOperation, ids: readonly string[]): string => {
  const whole = draw.chance(2) ? `${path}/more` : path
  const segment = () =>
    draw.chance(40) && ids.length > 0
      ? draw.pick(ids)
      : draw.chance(50)
        ? draw.pick(SEGMENTS)
        : encodeURIComponent(wellFormed(hostileText(draw))) || 'x'
  return whole.replace(/\{[^}]+\}/, segment)
}

const AUTHORIZATIONS = ['Bearer', 'Bearer x', 'Bearer e30.e30.', 'Basic eDp4', `Bearer ${'a'.repeat(4_000)}`]
const TYPES = [
  'text/plain',
  'application/json; charset=latin1',
  'application/xml',
  'application/problem+json',
  '',
]
/** Malformed ones are another rule's, since 400 is not declared everywhere. */
const CORRELATORS = ['c-1', '<script>', '..;/', 'x'.repeat(256)]

const headersFor = (draw: Draw, tokens: readonly string[]): Record<string, string> => ({
  'content-type': draw.chance(5) ? draw.pick(TYPES) : 'application/json',
  ...(draw.chance(95) && {
    authorization: draw.chance(4) ? draw.pick(AUTHORIZATIONS) : `Bearer ${draw.pick(tokens)}`,
  }),
  ...(draw.chance(20) && { 'x-correlator': draw.pick(CORRELATORS) }),
})

const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'GET']

/** One request. */
export function makeRestCase(draw: Draw, { tokens, ids }: Known): RestCase {
  const operation = draw.pick(OPERATIONS)
  const method = draw.chance(4) ? draw.pick(OTHER_METHODS) : operation.method
  const query = queryFor(draw, operation)
  const path = pathFor(draw, operation, ids)
  const headers = headersFor(draw, tokens)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return {
    method,
    path: query ? `${path}?${query}` : path,
    headers,
    ...(hasBody && { raw: rawFor(draw, operation.body ? operation : OPERATIONS.find(one => one.body)!) }),
  }
}
