/** The pace of a bind and its window. */
import { describe, expect, it } from 'vitest'
import { createPace, createWindow } from '#connectors/smpp/bind.ts'

describe('createPace', () => {
  it('SMPP-60 waits for nothing until it is throttled, then twice as long each time', () => {
    let now = 0
    const pace = createPace(0, () => now)
    pace.sent()
    expect(pace.waitMs()).toBe(0)
    for (const interval of [100, 200, 400]) {
      pace.throttled(now)
      expect([pace.intervalMs, pace.waitMs()]).toEqual([interval, interval])
      now += 1_000
      expect(pace.waitMs()).toBe(0)
    }
  })

  it('SMPP-61 is slowed once by all that were under way together', () => {
    let now = 0
    const pace = createPace(0, () => now)
    now = 50
    for (let index = 0; index < 10; index++) pace.throttled(10)
    expect(pace.intervalMs).toBe(100)
    for (now = 51; now < 71; now++) pace.throttled(now)
    expect(pace.intervalMs).toBe(10_000)
  })

  it('SMPP-62 recovers with what is taken, up to the rate that is allowed', () => {
    const [free, bounded] = [createPace(0, () => 0), createPace(50, () => 0)]
    for (const pace of [free, bounded]) {
      pace.throttled(0)
      for (let index = 0; index < 100; index++) pace.taken()
    }
    expect([free.intervalMs, bounded.intervalMs]).toEqual([0, 20])
  })

  it('SMPP-63 keeps to a rate from the first message on', () => {
    let now = 0
    const pace = createPace(10, () => now)
    const waits = Array.from({ length: 3 }, () => {
      pace.sent()
      return pace.waitMs()
    })
    expect(waits).toEqual([100, 200, 300])
    now = 10_000
    expect(pace.waitMs()).toBe(0)
  })
})

describe('createWindow', () => {
  it('SMPP-64 has so many places and no more, each given back once', () => {
    let freed = 0
    const window = createWindow(2, () => freed++)
    const [first] = [window.take(), window.take()]
    expect([window.isFull, window.outstanding]).toEqual([true, 2])
    expect(() => window.take()).toThrow('full')
    first!()
    first!()
    expect([window.isFull, window.outstanding, freed]).toEqual([false, 1, 1])
  })
})
