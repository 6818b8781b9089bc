/** Compiled operations answer as Apollo Gateway does: some of the federation-gateway-audit, all of it in audit-long.test.ts. */
import { expect, it } from 'vitest'
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

it.each(SUITES)('COMPILED-AUDIT-01 MUST be answered the same: %s', async name => {
  const suite = readSuite(name)
  await using both = await openSuite(suite)
  expect(await compareRecorded(both, suite)).toBeGreaterThan(0)
  expect(await compareGenerated(both, suite, 5)).toMatchObject({ operations: 20 })
})
