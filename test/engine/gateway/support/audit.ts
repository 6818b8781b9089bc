/** Comparison of both ways over the suites of the federation-gateway-audit. */
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'graphql'
import { compose } from '#gateway/supergraph/document.ts'
import { type AuditOperation, answersOf, type Suite } from '../audit/suites.ts'
import { type BothWays, type Outcome, openBothWays } from './both-ways.ts'
import { withFaults } from './faults.ts'
import { mockSubgraphs } from './mock-subgraphs.ts'
import { generateOperation, withOtherConditions } from './operations.ts'
import { createTally, expectSame, type Tally } from './same.ts'

/** Each recorded operation is tried with so many different faults. */
const FAULTS = 4
/** Generated operations are small: some of these supergraphs have very many plans for a large one. */
const SELECTIONS = 10

export const openSuite = ({ documents }: Suite): Promise<BothWays> => openBothWays(compose(documents))

const isExpected = ({ expected }: AuditOperation, { data, errors, thrown }: Outcome): boolean => {
  const failed = (errors ?? thrown) !== undefined
  const sameErrors = expected.errors === undefined || expected.errors === failed
  return sameErrors && isDeepStrictEqual(JSON.parse(data ?? 'null'), expected.data ?? null)
}

/** The operations that were recorded; resolves to how many were answered as the audit expects it. */
export async function compareRecorded(both: BothWays, { operations }: Suite): Promise<number> {
  let asExpected = 0
  for (const operation of operations) {
    const { query: text } = operation
    const request = { document: parse(text), text }
    const answers = answersOf(operation)
    const outcome = await expectSame(both, request, answers, { name: 'as recorded' })
    if (isExpected(operation, outcome)) asExpected += 1
    for (let seed = 0; seed < FAULTS; seed++)
      await expectSame(both, request, withFaults(answers, seed), { name: `faults ${seed}` })
  }
  return asExpected
}

/** So many generated operations, each with good answers, with fields that fail, and with faults. */
export async function compareGenerated(both: BothWays, { documents }: Suite, count: number): Promise<Tally> {
  const good = mockSubgraphs(documents, { seed: 1 })
  const failing = mockSubgraphs(documents, { seed: 2, failures: 0.03 })
  const tally = createTally()
  for (let seed = 0; seed < count; seed++) {
    const operation = generateOperation(both.schema, seed, SELECTIONS)
    for (const [kind, answerer] of Object.entries({ good, failing, faulty: withFaults(good, seed) }))
      await expectSame(both, operation, answerer, { name: `${kind}, seed ${seed}`, tally })
    await expectSame(both, withOtherConditions(operation), good, {
      name: `other conditions, seed ${seed}`,
      tally,
    })
  }
  return tally
}
