/** Expecting both ways to come to the same, and counting what was compared, so that a comparison of nothing is seen. */
import { expect } from 'vitest'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import type { BothWays, Outcome } from './both-ways.ts'
import type { Answerer } from './mock-subgraphs.ts'

export interface Tally {
  operations: number
  fetches: number
  withErrors: number
  withExtensions: number
  thrown: number
}

export const createTally = (): Tally => ({
  operations: 0,
  fetches: 0,
  withErrors: 0,
  withExtensions: 0,
  thrown: 0,
})

const note = (tally: Tally, { fetches, errors, extensions, thrown }: Outcome) => {
  tally.operations += 1
  tally.fetches += fetches.length
  tally.withErrors += errors ? 1 : 0
  tally.withExtensions += extensions ? 1 : 0
  tally.thrown += thrown ? 1 : 0
}

/** Where an execution breaks off, which of the fetches beside it have been sent by then is a matter of turns. */
const settled = (outcome: Outcome): Outcome => (outcome.thrown ? { ...outcome, fetches: [] } : outcome)

/** Executes an operation both ways; `name` says which it was where they differ. */
export async function expectSame(
  both: BothWays,
  operation: OperationRequest,
  answerer: Answerer,
  { name, tally }: { name: string; tally?: Tally },
): Promise<Outcome> {
  const byApollo = await both.byApollo(operation, answerer)
  const compiled = await both.compiled(operation, answerer)
  const what = `${name}\n${operation.text}\n${JSON.stringify(operation.variables)}`
  expect(settled(compiled), what).toEqual(settled(byApollo))
  if (tally) note(tally, byApollo)
  return byApollo
}
