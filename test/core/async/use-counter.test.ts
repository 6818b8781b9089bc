/** Counting the users of something at the moment. */
import { expect, test } from 'vitest'
import { createUseCounter } from '#core/async/limits.ts'

test('USE-01 each use is given back once', () => {
  const uses = createUseCounter()
  const [first] = [uses.enter(), uses.enter()]
  first()
  first()
  expect(uses.count).toBe(1)
})

test('USE-02 whoever waits is told when the last one has left, and at once when nobody uses it', async () => {
  const uses = createUseCounter()
  await uses.unused()
  const leave = uses.enter()
  const told: string[] = []
  const both = Promise.all([1, 2].map(() => uses.unused().then(() => told.push('unused'))))
  leave()
  await both
  expect(told).toEqual(['unused', 'unused'])
})
