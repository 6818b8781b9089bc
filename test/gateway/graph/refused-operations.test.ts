/** Operations that are refused before they are planned, whatever comes to them later. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGraph, type Graph } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
let graph: Graph
beforeAll(async () => {
  stack = await startStack()
  const token = await stack.token('demo-portal')
  const ask = createGraph(stack.address)
  graph = (query, options) => ask(query, { token, ...options })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** Planning takes time that doubles with each level. */
const lists = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const objects = (levels: number) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`

test.each([
  ['a list in a filter', `{ timeline(filter: { minAmount: ${lists(60)} }) { totalCount } }`],
  ['an object in a filter', `{ timeline(filter: { minAmount: ${objects(60)} }) { totalCount } }`],
  ['both', `{ timeline(filter: { minAmount: ${'[{a: '.repeat(30)}1${'}]'.repeat(30)} }) { totalCount } }`],
  [
    'a variable’s default',
    `query ($least: Decimal = ${lists(60)}) { timeline(filter: { minAmount: $least }) { totalCount } }`,
  ],
])('VALUE-01 %s', async (_, query) => {
  const { errors } = await graph(query)
  expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID_ARGUMENT' } })
  expect(errors.map(({ message }) => message).join()).toContain('nested deeper than 10 levels')
})

test('VALUE-02 lists within an input are as deep as the graph has them', async () => {
  const { errors } = await graph(
    '{ timeline(filter: { kinds: [PAYMENT], outcomes: [[COMPLETED]] }) { totalCount } }',
  )
  expect(errors.map(({ message }) => message).join()).not.toContain('nested')
})

test.each([
  ['an empty operationName', { query: '{ __typename }', operationName: '' }],
  ['an operationName of no operation', { query: 'query A { __typename }', operationName: 'B' }],
  ['no operationName among several', { query: 'query A { __typename } query B { __typename }' }],
])('OPERATION-01 %s', async (_, body) => {
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await stack.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: [
      {
        message: 'operationName must name one of the operations',
        extensions: { code: 'INVALID_ARGUMENT', http: { status: 400 } },
      },
    ],
  })
})
