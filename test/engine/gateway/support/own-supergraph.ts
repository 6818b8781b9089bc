/** Generated operations over the project's own supergraph, with good answers and with faulty ones. */
import { expect } from 'vitest'
import { readSupergraph, subgraphDocuments } from '#gateway/supergraph/document.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { type BothWays, openBothWays } from './both-ways.ts'
import { withFaults } from './faults.ts'
import { type Answerer, mockSubgraphs } from './mock-subgraphs.ts'
import { generateOperation, withOtherConditions } from './operations.ts'
import { createTally, expectSame, type Tally } from './same.ts'

export interface OwnSupergraph {
  readonly both: BothWays
  /** Rules that every schema allows, and no others. */
  readonly good: Answerer
  /** Fields fail here and there. */
  readonly failing: Answerer
}

export async function openOwnSupergraph(): Promise<OwnSupergraph> {
  const documents = subgraphDocuments(await loadKinds())
  return {
    both: await openBothWays(readSupergraph()),
    good: mockSubgraphs(documents, { seed: 1 }),
    failing: mockSubgraphs(documents, { seed: 2, failures: 0.03 }),
  }
}

/** The operations of these seeds, and then each under other conditions, which share what was compiled. */
async function compare(
  { both }: OwnSupergraph,
  [from, to]: readonly [number, number],
  answererOf: (seed: number) => Answerer,
): Promise<Tally> {
  const tally = createTally()
  for (let seed = from; seed < to; seed++) {
    const operation = generateOperation(both.schema, seed)
    await expectSame(both, operation, answererOf(seed), { name: `seed ${seed}`, tally })
    const other = withOtherConditions(operation)
    await expectSame(both, other, answererOf(seed), { name: `seed ${seed}, other conditions`, tally })
  }
  return tally
}

/** With good answers, of which nearly all must be shaped as compiled. */
export async function compareGood(own: OwnSupergraph, seeds: readonly [number, number]): Promise<void> {
  const { both, good } = own
  const before = { handedOn: both.handedOn, shaped: both.shapedByApollo }
  const { operations, fetches } = await compare(own, seeds, () => good)
  expect(fetches).toBeGreaterThan(operations)
  expect(both.handedOn - before.handedOn).toBeLessThan(operations / 20)
  expect(both.shapedByApollo - before.shaped).toBeLessThan(operations / 20)
}

/** With fields that fail, and with answers that are no answers. */
export async function compareFaulty(own: OwnSupergraph, seeds: readonly [number, number]): Promise<void> {
  const { good, failing } = own
  const failed = await compare(own, seeds, () => failing)
  expect(failed.withErrors).toBeGreaterThan(failed.operations / 10)
  const faulty = await compare(own, seeds, seed => withFaults(seed % 2 ? good : failing, seed))
  expect(faulty.withErrors).toBeGreaterThan(faulty.operations / 10)
  expect(faulty.withExtensions).toBeGreaterThan(faulty.operations / 100)
}
