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

test('USE-02 resolves when the last user has left, and at once without users', async () => {
  const uses = createUseCounter()
  await uses.unused()
  const leave = uses.enter()
  const resolved: string[] = []
  const both = Promise.all([1, 2].map(() => uses.unused().then(() => resolved.push('unused'))))
  leave()
  await both
  expect(resolved).toEqual(['unused', 'unused'])
})
