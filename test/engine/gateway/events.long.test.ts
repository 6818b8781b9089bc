/** An event's fields of other subgraphs are the same compiled as by Apollo Gateway: generated subscriptions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSupergraph, subgraphDocuments } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { type EventWays, openEventWays } from './support/both-ways-events.ts'
import { withFaults } from './support/faults.ts'
import { type Answerer, mockSubgraphs, type SubgraphDocument } from './support/mock-subgraphs.ts'
import { generateSubscription } from './support/operations.ts'

const COUNT = 300

describe('generated subscriptions', { timeout: 120_000 }, () => {
  let ways: EventWays
  let documents: readonly SubgraphDocument[]
  beforeAll(async () => {
    documents = subgraphDocuments(await loadKinds())
    ways = await openEventWays(
      readSupergraph(),
      documents.map(({ name }) => name),
    )
  })
  afterAll(() => ways[Symbol.asyncDispose]())

  /** @returns how many events were compared, what was fetched for them, and how many had errors. */
  const compare = async (answererOf: (seed: number) => Answerer) => {
    const tally = { events: 0, fetches: 0, withErrors: 0 }
    for (let seed = 0; seed < COUNT; seed += 1) {
      const operation = generateSubscription(ways.schema, seed)
      const outcomes = await ways.execute(operation, answererOf(seed))
      if (!outcomes) continue
      const [byApollo, compiled] = outcomes
      expect(compiled, `seed ${seed}\n${operation.text}`).toEqual(byApollo)
      tally.events += 1
      tally.fetches += byApollo.fetches.length
      tally.withErrors += byApollo.errors ? 1 : 0
    }
    return tally
  }

  it('COMPILED-EVENT-01 MUST be the same', async () => {
    const good = mockSubgraphs(documents, { seed: 1 })
    const { events, fetches } = await compare(() => good)
    expect(events).toBe(COUNT)
    expect(fetches).toBeGreaterThan(COUNT / 5)
  })

  it('COMPILED-EVENT-02 MUST be the same where subgraphs fail', async () => {
    const failing = mockSubgraphs(documents, { seed: 2, failures: 0.03 })
    const { withErrors } = await compare(seed => withFaults(failing, seed))
    expect(withErrors).toBeGreaterThan(COUNT / 10)
  })
})
