/** Mutations whose only child has a condition of its own are carried out, whichever way and in however many processes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGraph, type Graph } from '../../support/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
let graph: Graph
beforeAll(async () => {
  stack = await startStack()
  const token = await stack.token()
  const ask = createGraph(stack.address)
  graph = (query, options) => ask(query, { token, ...options })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const CREATE = `mutation ($s: Boolean!, $c: Boolean!, $correlator: String!) {
  createReward(input: { rewardTransaction: {
    clientCorrelatorId: $correlator, mobileNumber: "+96891000002", referenceCode: "R-1"
    rewardInformation: { rewardPoints: 5, description: "late" }
  } }) @include(if: $s) { rewardId @include(if: $c) }
}`

const posted = async (correlator: string): Promise<number> => {
  const { data } = await graph(
    'query ($filter: TransactionFilter) { rewards(filter: $filter) { totalCount } }',
    {
      variables: { filter: { clientCorrelatorId: correlator } },
    },
  )
  return data.rewards.totalCount
}

test.each([
  ['the first time', 'conditions-1'],
  ['and again, as a known operation', 'conditions-2'],
])('WIRE-CONDITIONS-01 nothing of it is selected: %s', async (_, correlator) => {
  const { data, errors } = await graph(CREATE, { variables: { s: true, c: false, correlator } })
  expect(errors).toEqual([])
  expect(data).toEqual({ createReward: {} })
  expect(await posted(correlator)).toBe(1)
})

test('WIRE-CONDITIONS-02 what is left out is not carried out', async () => {
  const correlator = 'conditions-3'
  const { data } = await graph(CREATE, { variables: { s: false, c: true, correlator } })
  expect(data).toEqual({})
  expect(await posted(correlator)).toBe(0)
})

test('WIRE-CONDITIONS-03 what is there is not null', async () => {
  const { data } = await graph('query ($c: Boolean!) { me @skip(if: $c) { id @include(if: $c) } }', {
    variables: { c: false },
  })
  expect(data).toEqual({ me: {} })
})
