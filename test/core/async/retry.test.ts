/** How long is waited before another try. */
import { expect, test } from 'vitest'
import { createBackoff } from '#core/async/retry.ts'

test('BACKOFF-01 each wait is twice the one before, up to the longest', () => {
  const waitMs = createBackoff({ firstMs: 100, longestMs: 1_000 })
  expect([0, 1, 2, 3, 4, 5, 1e9].map(waitMs)).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000])
})

test.each([
  [0, 50],
  [0.5, 100],
  [1, 150],
])('BACKOFF-02 chance moves a wait by its share: %s', (chance, wait) => {
  expect(createBackoff({ firstMs: 100, longestMs: 1_000, jitter: 0.5 }, () => chance)(0)).toBe(wait)
})
