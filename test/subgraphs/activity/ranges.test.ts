/** Extreme arguments of timelines, summaries and lists: the response is a page, or a refusal that names the argument. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGraph } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token('demo-portal')
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = (query: string, variables: object = {}) => createGraph(stack.address)(query, { token, variables })

/** The first and the last instants that RFC 3339 can write, and the ends of what a number of the timeline can say. */
const INSTANTS = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '2527-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
]

const FIELDS: [what: string, field: (from: string, to: string) => string][] = [
  ['timeline', (from, to) => `timeline(filter: { from: "${from}", to: "${to}" }) { totalCount }`],
  ['summary', (from, to) => `summary(from: "${from}", to: "${to}") { count }`],
  ['payments', (from, to) => `payments(filter: { from: "${from}", to: "${to}" }) { totalCount }`],
]

describe.each(FIELDS)('%s', (name, field) => {
  it(`RANGE-01 takes any two instants there are`, async () => {
    const all = await ask(`{ ${field('1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z')} }`)
    for (const from of INSTANTS)
      for (const to of INSTANTS) {
        const { data, errors } = await ask(`{ ${field(from, to)} }`)
        expect(errors, `${from} ${to}`).toEqual([])
        const spansAll = from < '1970' && to > '2500'
        if (spansAll) expect(data[name]).toEqual(all.data[name])
        else if (from > '2500' || to < '1970') expect(data[name].totalCount ?? data[name].length).toBe(0)
      }
  })
})

const TEXTS = ['a\u0000b', 'a\ud83d', 'w '.repeat(200)]

it.each(['text', 'postedBy'])(
  'RANGE-02 filter.%s is refused by name when nothing can be found by it',
  async name => {
    for (const text of TEXTS) {
      const { errors } = await ask(
        `query ($text: String) { timeline(filter: { ${name}: $text }) { totalCount nodes { kind } } }`,
        { text },
      )
      expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
      expect(errors[0]!.message).toContain(`filter.${name} must`)
    }
  },
)

it('RANGE-03 postedBy of a summary is refused by name when nothing can be found by it', async () => {
  for (const text of TEXTS) {
    const { errors } = await ask('query ($text: String) { summary(postedBy: $text) { count } }', { text })
    expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
    expect(errors[0]!.message).toContain('postedBy must')
  }
})

it('RANGE-04 an amount beyond all amounts is refused, whatever its digits', async () => {
  for (const amount of ['1e300', '1e999', '1.0000000000000001', '9'.repeat(300), '-1e40']) {
    const { errors } = await ask(
      'query ($amount: Decimal) { timeline(filter: { minAmount: $amount }) { nodes { kind } } }',
      { amount },
    )
    expect(errors[0]?.extensions.code, amount).toBe('INVALID_ARGUMENT')
    expect(errors[0]!.message).toMatch(/amount/i)
  }
  const { data, errors } = await ask('{ timeline(filter: { minAmount: 999999999999.999 }) { totalCount } }')
  expect({ errors, total: data.timeline.totalCount }).toEqual({ errors: [], total: 0 })
})
