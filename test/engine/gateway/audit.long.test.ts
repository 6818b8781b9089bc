/** As audit.test.ts, with all suites, and more operations generated over their supergraphs. */
import { describe, expect, it } from 'vitest'
import { someOf } from '#test/support/cases.ts'
import { readSuite, SUITE_NAMES } from './audit/suites.ts'
import { compareGenerated, compareRecorded, openSuite } from './support/audit.ts'

const SUITES = SUITE_NAMES.map(readSuite)

/** Operations to which Apollo Gateway itself responds otherwise than the audit expects, by suite. */
const OTHERWISE: Readonly<Record<string, number>> = {
  'keys-mashup': 1,
  'non-resolvable-interface-object': 1,
  'requires-with-argument': 3,
  'requires-with-argument-conflict': 1,
}

describe('federation-gateway-audit', () => {
  it('COMPILED-AUDIT-11 MUST be here as a whole', () => {
    expect(SUITES).toHaveLength(46)
    expect(SUITES.flatMap(({ operations }) => operations)).toHaveLength(199)
  })

  it.each(someOf(SUITES))(
    'COMPILED-AUDIT-12 MUST be answered the same: $name',
    { timeout: 300_000 },
    async suite => {
      await using both = await openSuite(suite)
      const asExpected = await compareRecorded(both, suite)
      expect(suite.operations.length - asExpected).toBe(OTHERWISE[suite.name] ?? 0)
      const { operations, fetches } = await compareGenerated(both, suite, 40)
      expect(operations).toBe(160)
      expect(fetches).toBeGreaterThan(0)
    },
  )
})
