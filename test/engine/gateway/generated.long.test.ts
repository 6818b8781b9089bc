/** As generated.test.ts, with operations by the thousand. */
import { OperationTypeNode } from 'graphql'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { casesOf } from '#test/support/cases.ts'
import { compareConditional, openConditionalGraph } from './support/conditions.ts'
import {
  compareFaulty,
  compareGood,
  type OwnSupergraph,
  openOwnSupergraph,
} from './support/own-supergraph.ts'

const BLOCKS = Array.from({ length: casesOf(10) }, (_, block) => [block * 250, (block + 1) * 250] as const)

describe('generated operations, by the thousand', () => {
  let own: OwnSupergraph
  beforeAll(async () => {
    own = await openOwnSupergraph()
  })
  afterAll(() => own.both[Symbol.asyncDispose]())

  it.each(BLOCKS)('COMPILED-SAME-11 MUST be answered the same: %d to %d', { timeout: 300_000 }, (...seeds) =>
    compareGood(own, seeds),
  )

  it.each(BLOCKS)(
    'COMPILED-SAME-12 MUST be answered the same where subgraphs fail: %d to %d',
    { timeout: 300_000 },
    (...seeds) => compareFaulty(own, seeds),
  )
})

describe('generated conditions, by the thousand', () => {
  it.each(Object.values(OperationTypeNode))(
    'CONDITIONS-11 MUST leave in and out what graphql-js does: %s',
    { timeout: 300_000 },
    async kind => {
      await using graph = await openConditionalGraph()
      await compareConditional(graph, kind, casesOf(600))
    },
  )
})
