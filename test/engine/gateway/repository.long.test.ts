/** Compiled operations answer as Apollo Gateway does: every operation that the repository writes down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { repositoryOperations } from '#test/support/repository-operations.ts'
import { withFaults } from './support/faults.ts'
import { type OwnSupergraph, openOwnSupergraph } from './support/own-supergraph.ts'
import { createTally, expectSame } from './support/same.ts'

describe('operations of the repository', () => {
  let own: OwnSupergraph
  let operations: OperationRequest[]
  beforeAll(async () => {
    own = await openOwnSupergraph()
    operations = repositoryOperations(own.both.schema)
  })
  afterAll(() => own.both[Symbol.asyncDispose]())

  it('COMPILED-SAME-21 MUST be found', () => {
    const names = operations.map(({ operationName }) => operationName)
    expect(names).toEqual(expect.arrayContaining(['Customer360', 'timeline', 'FailedTransactions']))
    expect(operations.length).toBeGreaterThan(100)
  })

  it('COMPILED-SAME-22 MUST be answered the same', async () => {
    const tally = createTally()
    for (const operation of operations)
      await expectSame(own.both, operation, own.good, { name: 'good', tally })
    expect(tally.fetches).toBeGreaterThan(operations.length)
  })

  it('COMPILED-SAME-23 MUST be answered the same where subgraphs fail', async () => {
    for (const [seed, operation] of operations.entries())
      await expectSame(own.both, operation, withFaults(own.failing, seed), { name: `faults ${seed}` })
  })
})
