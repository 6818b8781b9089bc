/** Variables that do not fit: found out at once, however many of them are wrong. */
import { buildSchema, Kind, parse } from 'graphql'
import { expect, it } from 'vitest'
import { compileVariables } from '#engine/subgraph/arguments.ts'

const schema = buildSchema('input Filter { kind: Int } type Query { rows(filter: Filter): Int }')

const definitionsOf = (text: string) =>
  parse(text).definitions.flatMap(node =>
    node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : [],
  )

const coerce = compileVariables(schema, definitionsOf('query ($filter: Filter) { rows(filter: $filter) }'))

it('COMPILED-VARIABLES-01 MUST be looked at until the first that is wrong, and no further', () => {
  const filter = { a: 1, b: 2, c: 3, d: 4 }
  const { coerced, errors } = coerce({ filter })
  expect(coerced).toBeUndefined()
  expect(errors![0]!.message).toContain('Field "a" is not defined by type "Filter"')
  expect(errors!.length).toBeLessThanOrEqual(2)
})

it('COMPILED-VARIABLES-02 MUST be coerced where they fit', () => {
  expect(coerce({ filter: { kind: 1 } }).coerced).toEqual({ filter: { kind: 1 } })
})

it('COMPILED-VARIABLES-03 MUST be the values themselves, whichever way they are coerced', () => {
  const any = buildSchema('scalar Any type Query { rows(any: Any, n: Int): Int }')
  const definitions = definitionsOf('query ($any: Any, $__proto__: Int) { rows(any: $any, n: $__proto__) }')
  const { coerced } = compileVariables(any, definitions)({ any: { a: { b: 1 } } })
  expect(JSON.stringify(coerced)).toBe('{"any":{"a":{"b":1}}}')
})
