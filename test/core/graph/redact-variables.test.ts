/** Faults of redacted variables are those that graphql-js reports, without the values. */
import { buildSchema, getVariableValues, Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { redactMessage, redactVariables } from '#core/graph/redact.ts'

const schema = buildSchema(`
  enum Kind { A B }
  input Inner { n: Int! kind: Kind }
  input Filter { kind: Kind n: Int texts: [String!] inner: Inner inners: [Inner!] id: ID flag: Boolean }
  type Query { rows(filter: Filter): Int }`)

const definitions = parse(
  'query ($filter: Filter, $n: Int, $many: [Int], $kind: Kind, $id: ID!) { rows(filter: $filter) }',
).definitions.flatMap(node => (node.kind === Kind.OPERATION_DEFINITION ? node.variableDefinitions! : []))

const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, { at: index }]))

const GIVEN: [string, Record<string, unknown>][] = [
  ['what fits', { id: 'a', filter: { kind: 'A', texts: ['x'], inner: { n: 1 } } }],
  ['an unknown field', { id: 'a', filter: { kin: 'A' } }],
  ['an object with many of them', { id: 'a', filter: wide }],
  ['objects where none belongs', { id: {}, n: wide, many: [wide, 1, wide], kind: wide }],
  ['such in fields', { id: 'a', filter: { n: wide, texts: [wide], inner: { n: wide, kind: {} }, flag: [] } }],
  ['a list where an object belongs', { id: 'a', filter: [[wide]] }],
  ['what is missing', { filter: { inner: {}, inners: [{ n: 1 }, null] } }],
  ['a field that is named as the prototype', { id: 'a', filter: JSON.parse('{"__proto__": {"n": 1}}') }],
  ['a field that is named as a method', { id: 'a', filter: { toJSON: 1 }, n: { toJSON: 'x' } }],
]

describe('faults', () => {
  it.each(GIVEN)('QUIET-01 MUST be reported as for the values themselves: %s', (_, given) => {
    const tell = (variables: Record<string, unknown>) => {
      const { coerced, errors = [] } = getVariableValues(schema, definitions, variables)
      return [coerced, errors.map(({ message }) => redactMessage(message))]
    }
    expect(JSON.parse(JSON.stringify(tell(redactVariables(given))))).toEqual(
      JSON.parse(JSON.stringify(tell(given))),
    )
  })

  it('QUIET-02 MUST be reported without the fields of a value', () => {
    const { errors } = getVariableValues(
      schema,
      definitions,
      redactVariables({ id: 'a', filter: wide, n: wide }),
    )
    expect(errors).toHaveLength(31)
    for (const { message } of errors!) expect(message.length).toBeLessThan(200)
  })

  it('QUIET-03 MUST leave what is nested without end to whoever looks at it', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const { errors } = getVariableValues(schema, definitions, redactVariables({ id: 'a', filter: deep }))
    expect(errors![0]!.message).toContain('Field "a" is not defined')
  })
})
