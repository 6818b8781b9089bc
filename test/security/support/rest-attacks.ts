/** Attacks on every REST operation, made of its document: deep, wide, long, repeated, out of range. */
import { withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { DocumentedOperation } from '../../support/openapi.ts'
import type { Request } from './attack.ts'
import { type Place, placesOf, queryOf } from './contract-bodies.ts'
import { DATES, NUMBERS } from './hostile.ts'

export type Named = readonly [what: string, request: Request]

/** Limit of a request line, beyond which the parser itself refuses it. */
const MAX_QUERY = 14_000
const MAX_BODY = 1_000_000

const LONG: readonly string[] = [' ', '0', '"', '\\', 'a ', '+', '<', '\u00e9', '9.', '%00']

const bodyOf = ({ path }: DocumentedOperation) => FIXTURES.find(one => one.path === path)!.body()

const setAt = (operation: DocumentedOperation, { path }: Place, value: unknown): string => {
  try {
    return JSON.stringify(withField(bodyOf(operation), path, value))
  } catch {
    return JSON.stringify({ [path]: value })
  }
}

const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join()

/** By kind of attack, the bodies; a long one for each field that is a text, with a filling of its own. */
const bodies = (operation: DocumentedOperation): [kind: string, raw: string][] => {
  const places = placesOf(operation)
  const whole = JSON.stringify(bodyOf(operation)).slice(0, -1)
  const scalars = places.filter(({ schema }) => schema['type'] !== 'object')
  return [
    ...[200, 20_000].map(depth => ['deep', `${whole},"x":${nested(depth)}}`] as [string, string]),
    ...places
      .slice(0, 8)
      .map(place => ['deep', setAt(operation, place, JSON.parse(nested(1_000)))] as [string, string]),
    ['wide', `${whole},${many(50_000, i => `"k${i}":1`)}}`],
    ['wide', `${whole},"x":[${many(200_000, () => '1')}]}`],
    ...places
      .filter(({ schema }) => schema['type'] === 'array')
      .map(place => ['wide', setAt(operation, place, Array(20_000).fill({ amount: 1 }))] as [string, string]),
    ...scalars.map((place, index) => {
      const filling = LONG[index % LONG.length]!
      return ['long', setAt(operation, place, filling.repeat(MAX_BODY / 4 / filling.length))] as [
        string,
        string,
      ]
    }),
    ['repeated', `${whole},${many(20_000, () => '"webhook":null')}}`],
    ...scalars.flatMap((place, index) => [
      ['out of range', setAt(operation, place, NUMBERS[index % NUMBERS.length])] as [string, string],
      ['out of range', setAt(operation, place, DATES[index % DATES.length])] as [string, string],
    ]),
  ]
}

const queries = (operation: DocumentedOperation): [kind: string, query: string][] => {
  const names = queryOf(operation)
  return [
    ['deep', `x${'[a]'.repeat(MAX_QUERY / 3)}=1`],
    [
      'wide',
      many(2_000, i => `k${i}=1`)
        .replaceAll(',', '&')
        .slice(0, MAX_QUERY),
    ],
    ...names.flatMap((name, index) => {
      const filling = encodeURIComponent(LONG[index % LONG.length]!)
      return [
        ['long', `${name}=${filling.repeat(MAX_QUERY / filling.length - 10)}`],
        ['repeated', `${name}=1&`.repeat(500)],
        ...[...DATES, ...NUMBERS].map(value => ['out of range', `${name}=${encodeURIComponent(value)}`]),
      ] as [string, string][]
    }),
  ]
}

/** Every attack on an operation that is one request. */
export function attacksOn(operation: DocumentedOperation, token: string): Named[] {
  const { method, operationId } = operation
  const path = operation.path.replace(/\{[^}]+\}/, 'x'.repeat(500))
  if (method === 'GET')
    return queries(operation).map(([kind, query]) => [
      `${operationId}, ${kind}: ${query.slice(0, 60)}`,
      { method, path: `${path}?${query}`, token },
    ])
  return bodies(operation).map(([kind, raw]) => [
    `${operationId}, ${kind}: ${raw.length} characters`,
    { path, raw, token },
  ])
}
