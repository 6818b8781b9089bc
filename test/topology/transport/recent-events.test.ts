/** The last events of a fan-out are bounded in bytes, however large they are. */
import { expect, test } from 'vitest'
import { KEPT_BYTES, RecentEvents } from '#topology/transport/replay.ts'

test('the last events of a stream are kept up to a number of bytes', () => {
  const recent = new RecentEvents(0n)
  for (let position = 1n; position <= 100n; position++)
    recent.add({ position, response: { data: { text: 'x'.repeat(100_000) } } })
  expect(recent.bytes).toBeLessThanOrEqual(KEPT_BYTES)
  expect(recent.since(0n)).toBeUndefined()
  expect(recent.since(95n)!.map(({ position }) => position)).toEqual([96n, 97n, 98n, 99n, 100n])
})
