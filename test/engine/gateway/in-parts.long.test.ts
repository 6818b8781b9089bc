/** As in-parts.test.ts, with operations by the thousand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesOf } from '#test/support/cases.ts'
import { compareInParts, failing, type InParts, openInParts, withoutSome } from './support/in-parts.ts'

const BLOCKS = Array.from(
  { length: casesOf(4) },
  (_, block) => [1_000 + block * 250, 1_250 + block * 250] as const,
)
/** Operations over answers of which some fail: each is planned once, and executed over several. */
const FAILING = [2_000, 2_250].map(from => [from, from + 250] as const)
const UNREACHABLE = [[2_500, 2_750]] as const
const TIMES = 5

describe('@defer, by the thousand', { timeout: 300_000 }, () => {
  let opened: InParts
  beforeAll(async () => {
    opened = await openInParts()
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  it.each(BLOCKS)('DEFER-SAME-11 MUST come to the whole response: %d to %d', async (...seeds) => {
    const { inParts, operations } = await compareInParts(opened, seeds, () => opened.answerer())
    expect(inParts).toBeGreaterThan(operations / 4)
  })

  it.each(FAILING)(
    'DEFER-SAME-12 MUST come to the whole response where fields fail: %d to %d, five times each',
    async (...seeds) => {
      const { operations, withErrors, withNull } = await compareInParts(
        opened,
        seeds,
        seed => failing(opened, seed),
        TIMES,
      )
      expect([operations > 1_000, withErrors > 100, withNull > 0]).toEqual([true, true, true])
    },
  )

  it.each(UNREACHABLE)(
    'DEFER-SAME-13 MUST come to the whole response where subgraphs cannot be reached: %d to %d, five times each',
    async (...seeds) => {
      const unreachable = (seed: number) => withoutSome(failing(opened, seed), seed)
      const { operations, withErrors } = await compareInParts(opened, seeds, unreachable, TIMES)
      expect([operations > 1_000, withErrors > 100]).toEqual([true, true])
    },
  )
})
