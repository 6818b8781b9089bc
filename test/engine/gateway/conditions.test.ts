/** Operations with conditions wherever one can stand answer what graphql-js answers of one schema, under each combination. */
import { OperationTypeNode, parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConditionalGraph, compareConditional, openConditionalGraph } from './support/conditions.ts'
import { eachCombination } from './support/operations.ts'

/** In the long run there are thousands (generated-long.test.ts). */
const COUNT = 12

const REWARD = 'createReward(input: { rewardTransaction: { clientCorrelatorId: "1" } })'
const SMS = 'sendSms(input: { clientCorrelatorId: "1", sender: "1", recipient: "1", smsText: "1" })'
const OPERATIONS = {
  'a mutation nothing of which is left in': `mutation ($c0: Boolean!, $c1: Boolean!) { ${REWARD} @include(if: $c0) { rewardId @include(if: $c1) } }`,
  'within a fragment': `mutation ($c0: Boolean!, $c1: Boolean!) { ... @skip(if: $c0) { ${REWARD} @skip(if: $c0) { ... on Reward @skip(if: $c1) { rewardId } } } }`,
  'by a literal': `mutation ($c0: Boolean!) { ${REWARD} @include(if: $c0) { rewardId @skip(if: true) } }`,
  'an object nothing of which is left in':
    'query ($c0: Boolean!, $c1: Boolean!) { me @include(if: $c0) { id @include(if: $c1) } }',
  'an object of another subgraph':
    'query ($c0: Boolean!, $c1: Boolean!) { subscriber(mobileNumber: "1") { rewards @include(if: $c0) { totalCount @include(if: $c1) } } }',
  'a type that the object is not':
    'query ($c0: Boolean!, $c1: Boolean!) { transaction(id: "1") @include(if: $c0) { ... on Payment { id @include(if: $c1) } } }',
  'one mutation at two places': `mutation ($c0: Boolean!, $c1: Boolean!) { a: ${SMS} @include(if: $c0) { id } ${REWARD} { id } ... @include(if: $c1) { a: ${SMS} { kind } } }`,
  'mutations of which the second is in a fragment': `mutation { ${SMS} { id } ...F } fragment F on Mutation { sendSmsBatch(input: { clientCorrelatorId: "2", sender: "1", recipients: ["1"], smsText: "1" }) { batchId recipient } }`,
}

describe('conditions', { timeout: 120_000 }, () => {
  let graph: ConditionalGraph
  beforeAll(async () => {
    graph = await openConditionalGraph()
  })
  afterAll(() => graph[Symbol.asyncDispose]())

  it.each(Object.entries(OPERATIONS))(
    'CONDITIONS-01 MUST leave in and out what graphql-js does: %s',
    async (_, text) => {
      const document = parse(text)
      expect(validate(graph.schema, document)).toEqual([])
      const variables = Object.fromEntries((text.match(/(?<=\$)c\d(?=:)/g) ?? []).map(name => [name, true]))
      for (const operation of eachCombination({ document, text, variables }))
        await graph.expectRight(operation)
    },
  )

  it.each(Object.values(OperationTypeNode))(
    'CONDITIONS-02 MUST leave in and out what graphql-js does: generated operations, %s',
    async kind => {
      await compareConditional(graph, kind, COUNT)
    },
  )
})
