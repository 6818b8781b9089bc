/** The rate of what is done while there is more to do. */
import { expect, it } from 'vitest'
import { BusyRate } from '#core/async/busy-rate.ts'

const clocked = () => {
  let now = 0
  const rate = new BusyRate(() => now)
  return {
    rate,
    /** Does so many, evenly, within a time. */
    begin(count: number, ms: number) {
      for (let one = 0; one < count; one++) {
        now += ms / count
        rate.count(true)
      }
    },
  }
}

it('BUSY-01 is not known until there was more to do for a while, nor once there is not', () => {
  const { rate, begin } = clocked()
  expect(rate.perSecond).toBeUndefined()
  begin(10, 100)
  expect(rate.perSecond).toBeUndefined()
  begin(50, 500)
  expect(rate.perSecond).toBeCloseTo(100, -1)
  rate.count(false)
  expect(rate.perSecond).toBeUndefined()
})

it('BUSY-02 follows what is done, and not one slow moment alone', () => {
  const { rate, begin } = clocked()
  begin(100, 1_000)
  begin(1, 1_000)
  expect(rate.perSecond).toBeGreaterThan(40)
  begin(1_000, 2_000)
  expect(rate.perSecond).toBeGreaterThan(400)
})
