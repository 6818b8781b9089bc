/** As in-parts.test.ts, with operations by the thousand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareInParts, failing, type InParts, openInParts, withoutSome } from './support/in-parts.ts'

const BLOCKS = Array.from({ length: 4 }, (_, block) => [1_000 + block * 250, 1_250 + block * 250] as const)

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

  it.each(BLOCKS)(
    'DEFER-SAME-12 MUST come to the whole response where fields fail: %d to %d',
    async (...seeds) => {
      const { withErrors, withNull } = await compareInParts(opened, seeds, seed => failing(opened, seed))
      expect([withErrors > 0, withNull > 0]).toEqual([true, true])
    },
  )

  it.each(BLOCKS)(
    'DEFER-SAME-13 MUST come to the whole response where subgraphs cannot be reached: %d to %d',
    async (...seeds) => {
      const { withErrors } = await compareInParts(opened, seeds, seed =>
        withoutSome(failing(opened, seed), seed),
      )
      expect(withErrors).toBeGreaterThan(0)
    },
  )
})
