/** Cost of operations: a remembered cost must never make a costly operation cheap. */
import fc from 'fast-check'
import { buildSchema, type DocumentNode, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createCostLimit, createCostOf } from '#core/graph/operation-limits.ts'

const schema = buildSchema(`
  scalar _Any
  input Filter { text: String, sizes: [Int!], more: Filter }
  type Row { id: ID, rows(first: Int, last: Int, filter: Filter): RowConnection, tags: [String], deliveries: [WebhookDelivery] }
  type WebhookDelivery { id: ID }
  type RowConnection { nodes: [Row!]! totalCount: Int }
  union _Entity = Row
  type Query {
    rows(first: Int, last: Int, filter: Filter): RowConnection
    strict(first: Int! = 3, filter: Filter): RowConnection
    _entities(representations: [_Any!]!): [_Entity]!
  }
`)

const parsed = (text: string): DocumentNode => {
  const document = parse(text)
  expect(validate(schema, document)).toEqual([])
  return document
}

const costOf = (text: string, variables?: Record<string, unknown>) =>
  createCostOf()({ schema, document: parsed(text), variables })

describe('what is counted', () => {
  const NODES = '{ nodes { id } }'
  test.each<[string, number, Record<string, unknown>?]>([
    [`{ rows(first: 7) ${NODES} }`, 15],
    [`{ rows(last: 7) ${NODES} }`, 15],
    [`{ rows ${NODES} }`, 101],
    ['{ rows(first: 7) { nodes { deliveries { id } } } }', 85],
    [`{ rows(first: -7) ${NODES} }`, 3],
    [`{ rows(first: 0) ${NODES} }`, 3],
    [`query ($n: Int) { rows(first: $n) ${NODES} }`, 101],
    [`query ($n: Int) { rows(first: $n) ${NODES} }`, 15, { n: 7 }],
    [`query ($n: Int = 7) { rows(first: $n) ${NODES} }`, 15],
    [`query ($n: Int = 7) { rows(first: $n) ${NODES} }`, 101, { n: null }],
    [`query ($n: Int) { rows(first: $n) ${NODES} }`, 0, { n: '7' }],
    [`{ a: rows(first: 7) ${NODES} b: rows(first: 7) ${NODES} }`, 30],
    [
      `{ ...F } fragment F on Query { rows(first: 7) { ...G } } fragment G on RowConnection { nodes { id } }`,
      15,
    ],
    [`query ($w: Boolean!) { rows(first: 7) @include(if: $w) ${NODES} }`, 0, { w: false }],
    [`query ($w: Boolean!) { ... @skip(if: $w) { rows(first: 7) ${NODES} } }`, 15, { w: false }],
    ['query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }', 4, { r: [1, 2, 3] }],
    ['{ _entities(representations: [1, 2, 3]) { __typename } }', 4],
    ['{ _entities(representations: 1) { __typename } }', 2],
    ['query ($r: _Any!) { _entities(representations: [$r, $r]) { __typename } }', 3, { r: 1 }],
    [
      'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }',
      Number.POSITIVE_INFINITY,
      { r: Array(20_001).fill(1) },
    ],
  ])('%s: %d', (text, cost, variables) => {
    expect(costOf(text, variables)).toBe(cost)
  })
})

describe('what is remembered', () => {
  const COSTLY = 'query ($f: Int = 500) { rows(first: $f) { nodes { rows(first: $f) { nodes { id } } } } }'

  test('variables that did not fit make no operation cheap', () => {
    const check = createCostLimit(1_000)
    const document = parsed(COSTLY)
    expect(check({ schema, document, variables: { f: 'x' } })).toBe(0)
    expect(() => check({ schema, document, variables: {} })).toThrow('more than 1000 fields')
  })

  test('a default counts as what is given', () => {
    const check = createCostLimit(1_000)
    const document = parsed(COSTLY)
    expect(check({ schema, document, variables: { f: 2 } })).toBeLessThan(20)
    expect(() => check({ schema, document, variables: {} })).toThrow('more than 1000 fields')
    expect(() => check({ schema, document, variables: { f: null } })).toThrow('more than 1000 fields')
  })

  test('a condition counts', () => {
    const costOf = createCostOf()
    const document = parsed('query ($w: Boolean!) { rows @include(if: $w) { totalCount } }')
    expect(costOf({ schema, document, variables: { w: false } })).toBe(0)
    expect(costOf({ schema, document, variables: { w: true } })).toBe(51)
  })

  test('it is what counting each time would say, whatever came before', () => {
    const size = fc.oneof(
      fc.integer({ min: -2, max: 60 }),
      fc.constantFrom(null, undefined, '5', 1.5, 2 ** 31),
    )
    const flag = fc.oneof(fc.boolean(), fc.constantFrom(null, undefined, 'true'))
    const filter = fc.oneof(
      fc.constantFrom(null, undefined, 5),
      fc.record(
        {
          text: fc.string({ maxLength: 3 }),
          sizes: fc.oneof(fc.array(fc.integer(), { maxLength: 3 }), fc.integer()),
        },
        { requiredKeys: [] },
      ),
    )
    const list = fc.oneof(
      fc.array(fc.anything({ maxDepth: 1 }), { maxLength: 6 }),
      fc.constantFrom(null, undefined, 'x'),
    )
    const variables = fc.array(
      fc.record({ a: size, b: size, c: size, skip: flag, take: flag, filter, list }),
      { minLength: 2, maxLength: 12 },
    )
    const texts = [
      `query ($a: Int, $b: Int = 9, $c: Int = 4, $skip: Boolean = false, $take: Boolean!, $filter: Filter) {
        rows(first: $a, last: $b, filter: $filter) @include(if: $take) { nodes { x: rows(first: $c) { totalCount } } }
        ...F @skip(if: $skip) }
      fragment F on Query { strict(first: $c, filter: { text: "x", more: $filter }) { nodes { tags rows(last: $b) { nodes { id } } } } }`,
      `query ($list: [_Any!]! = [1, 2], $take: Boolean = true) {
        _entities(representations: $list) { ... on Row @include(if: $take) { id rows(first: 2) { nodes { id } } } } }`,
    ]
    fc.assert(
      fc.property(variables, fc.constantFrom(...texts), (all, text) => {
        const costOf = createCostOf()
        const document = parsed(text)
        for (const one of all) {
          const operation = { schema, document, variables: one }
          expect(costOf(operation)).toBe(createCostOf()(operation))
        }
      }),
      { numRuns: 100 },
    )
  })
})

test('variables with very many faults are refused after the first few', () => {
  const document = parsed('query ($sizes: [Int!]) { rows(filter: { sizes: $sizes }) { totalCount } }')
  const variables = { sizes: Array(200_000).fill('x4929#') }
  const refusal = () => createCostLimit(1_000)({ schema, document, variables })
  expect(refusal).toThrow(
    'More than 10 faults in the variables, the first: Variable "$sizes" got an invalid value at "sizes[0]"; Int cannot represent non-integer value',
  )
})
