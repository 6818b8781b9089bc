/** A pace by holder, on a clock that the tests set. */
import { expect, test } from 'vitest'
import { Pacer } from '#core/async/limits.ts'
import { createClock } from '#test/core/access/support.ts'

const create = () => {
  const clock = createClock()
  return { clock, pacer: new Pacer({ perSecond: 10, atOnce: 2, longestMs: 300 }, clock.now) }
}

const waitsOf = (pacer: Pacer, count: number, holder = 'a') =>
  Array.from({ length: count }, () => pacer.count(holder))

test('PACE-01 some at once, then at the rate; what would wait longer than the longest is not within it', () => {
  const { pacer } = create()
  const [first, second, third, fourth, fifth, sixth] = waitsOf(pacer, 6)
  expect([first, second, third, fourth, fifth].map(one => one!.waitMs)).toEqual([0, 0, 100, 200, 300])
  expect(fifth!.isWithin).toBe(true)
  expect(sixth!.isWithin).toBe(false)
  expect(sixth!.waitMs).toBeGreaterThanOrEqual(150)
  expect(sixth!.waitMs).toBeLessThanOrEqual(300)
})

test('PACE-02 what is not within the longest wait counts nothing, so a flood does not lengthen its own', () => {
  const { clock, pacer } = create()
  waitsOf(pacer, 1_000)
  clock.pass(100)
  expect(pacer.count('a')).toEqual({ waitMs: 300, isWithin: true })
})

test('PACE-03 holders are paced apart, and what is taken back was never counted', () => {
  const { pacer } = create()
  waitsOf(pacer, 100)
  expect(pacer.count('b')).toEqual({ waitMs: 0, isWithin: true })
  for (let count = 0; count < 100; count += 1) {
    expect(pacer.count('b').waitMs).toBe(0)
    pacer.uncount('b')
  }
})
