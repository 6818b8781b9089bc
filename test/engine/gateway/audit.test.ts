/** Compiled operations answer as Apollo Gateway does: some of the federation-gateway-audit, all of it in audit-long.test.ts. */
import { afterEach, expect, it, vi } from 'vitest'
import { readSuite } from './audit/suites.ts'
import { compareGenerated, compareRecorded, openSuite } from './support/audit.ts'

/** Suites with the most features that the project's own supergraph does not have. */
const SUITES = [
  'include-skip',
  'interface-object-with-requires',
  'child-type-mismatch',
  'provides-on-union',
  'requires-with-fragments',
  'union-intersection',
]

afterEach(() => vi.unstubAllGlobals())

it.each(SUITES)('COMPILED-AUDIT-01 MUST be answered the same: %s', async name => {
  const suite = readSuite(name)
  await using both = await openSuite(suite)
  expect(await compareRecorded(both, suite)).toBeGreaterThan(0)
  expect(await compareGenerated(both, suite, 5)).toMatchObject({ operations: 20 })
})

it('COMPILED-AUDIT-02 MUST be answered the same in a process that makes no code of texts', async () => {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('Code generation from strings disallowed for this context')
  })
  const suite = readSuite('union-intersection')
  await using both = await openSuite(suite)
  expect(await compareRecorded(both, suite)).toBeGreaterThan(0)
})
