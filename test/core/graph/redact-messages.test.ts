/** Messages of graphql-js without the values that they quote: the same as ever, and in time linear in their length. */
import { buildSchema, getVariableValues, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { redactMessage } from '#core/graph/redact.ts'

const schema = buildSchema(`
  enum Kind { PAYMENT RECHARGE }
  input Card { number: String!, cvv: Int, kind: Kind }
  type Query { pay(card: Card, amount: Float, kind: Kind): Boolean }
`)

const SECRET = 'x4929#'

/** Messages about this value of a variable of this type. */
const ofVariable = (type: string, value: unknown) => {
  const document = parse(`query ($v: ${type}) { pay }`)
  const [operation] = document.definitions as never[]
  const { errors } = getVariableValues(schema, operation!['variableDefinitions'], { v: value })
  return errors!.map(({ message }) => redactMessage(message))
}

const ofLiteral = (text: string) =>
  validate(schema, parse(`{ pay(${text}) }`)).map(({ message }) => redactMessage(message))

const syntax = (text: string) => {
  try {
    parse(text)
    return 'nothing'
  } catch (error) {
    return redactMessage((error as Error).message)
  }
}

describe('what is said is kept, what is quoted is not', () => {
  test.each([
    ['Int', SECRET, 'Variable "$v" got an invalid value; Int cannot represent non-integer value'],
    [
      'Card',
      { number: 5 },
      'Variable "$v" got an invalid value at "v.number"; String cannot represent a non string value',
    ],
    [
      '[Int]',
      [1, `${SECRET}; ${SECRET}`],
      'Variable "$v" got an invalid value at "v[1]"; Int cannot represent non-integer value',
    ],
    [
      'Card',
      { number: SECRET, more: 1 },
      'Variable "$v" got an invalid value; Field "more" is not defined by type "Card".',
    ],
    [
      'Card',
      {},
      'Variable "$v" got an invalid value; Field "number" of required type "String!" was not provided.',
    ],
    ['Card', SECRET, 'Variable "$v" got an invalid value; Expected type "Card" to be an object.'],
    ['Kind', SECRET, 'Variable "$v" got an invalid value; The value does not exist in "Kind" enum.'],
    [
      'Kind',
      `${SECRET}" does not exist`,
      'Variable "$v" got an invalid value; The value does not exist in "Kind" enum.',
    ],
  ])('a variable of type %s: %j', (type, value, message) => {
    expect(ofVariable(type, value)).toEqual([message])
  })

  test.each([
    ['amount: "x4929#"', 'Float cannot represent non numeric value'],
    ['card: { number: 5 }', 'String cannot represent a non string value'],
    ['card: "x4929#"', 'Expected value of type "Card"'],
    ['kind: "x4929#"', 'Enum "Kind" cannot represent non-enum value'],
  ])('a literal: %s', (text, message) => {
    expect(ofLiteral(text)).toEqual([message])
  })

  test.each([
    ['{ pay "x4929#" }', 'Syntax Error: Expected Name, found String.'],
    ['{ pay """x4929# "a" """ }', 'Syntax Error: Expected Name, found BlockString.'],
    ['{ pay(amount 4929 ) }', 'Syntax Error: Expected ":", found Int.'],
  ])('a syntax error: %s', (text, message) => {
    expect(syntax(text)).toBe(message)
  })

  test('where the executor was and what follows it is left out', () => {
    expect(redactMessage('It failed.\n\nGraphQL request:1:5\n1 | { secret }')).toBe('It failed.')
    expect(redactMessage('It failed.GraphQL request:1')).toBe('It failed.GraphQL request:1')
  })
})

describe('values that look like what is said', () => {
  const HOSTILE = [
    `${SECRET} cannot represent x: y`,
    `${SECRET} Value "`,
    `${SECRET}; Expected value of type X, found ${SECRET}`,
    `${SECRET} at "v"; ${SECRET}`,
    `${SECRET} got invalid value ${SECRET}; ${SECRET}`,
    `${SECRET}\nGraphQL request:1`,
    `found String "${SECRET}"`,
  ]
  const TYPES = ['Int', 'Float', 'Kind', 'Card', '[Card]', 'Boolean']

  test.each(HOSTILE)('%j is never shown', value => {
    for (const type of TYPES) {
      for (const given of [value, { number: value, cvv: value, kind: value }])
        for (const message of ofVariable(type, given)) expect(message).not.toContain(SECRET)
    }
  })
})

describe('long messages take linear time', () => {
  const LONG = 400_000
  test.each([
    ['spaces', ' '.repeat(LONG)],
    ['starts of a place', ' at "v'.repeat(LONG / 6)],
    ['semicolons', '; '.repeat(LONG / 2)],
    ['cannot represent', 'cannot represent '.repeat(LONG / 17)],
    ['got invalid value', 'got invalid value '.repeat(LONG / 18)],
    ['Expected value', 'Expected value of type '.repeat(LONG / 23)],
    ['found', 'found String "'.repeat(LONG / 14)],
    ['Value', 'Value "'.repeat(LONG / 7)],
    ['GraphQL request', ' GraphQL request:'.repeat(LONG / 17)],
  ])('%s', (_, text) => {
    const began = performance.now()
    for (const message of [text, `Variable "$v" got invalid value "${text}"; It is wrong`])
      redactMessage(message)
    expect(performance.now() - began).toBeLessThan(250)
  })

  test('a message is short', () => {
    expect(redactMessage(`Field "${'x'.repeat(LONG)}" is not defined`).length).toBeLessThanOrEqual(1_001)
  })
})
