/** The arithmetic of the retries. */
import { describe, expect, it } from 'vitest'
import { readRetryAfter, WAITS, waitAfter } from '#core/webhooks/schedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('schedule', () => {
  it('HOOK-20 eight attempts, after 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    const planned = [1, 2, 3, 4, 5, 6, 7, 8].map(attempts => waitAfter({ attempts, random: 0.5 }))
    expect(planned).toEqual([
      5_000,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
      undefined,
    ])
    expect(WAITS[0]).toBe(0)
  })

  it('HOOK-21 each wait is within 20 % of the planned one', () => {
    expect(waitAfter({ attempts: 1, random: 0 })).toBe(4_000)
    expect(waitAfter({ attempts: 1, random: 0.999_999 })).toBe(6_000)
  })

  it.each([
    ['less than planned: the planned wait', 1_000, 5_000],
    ['between planned and twice that: as asked', 7_000, 7_000],
    ['more: twice the planned wait', 3_600_000, 10_000],
  ])('HOOK-22 Retry-After %s', (_, retryAfterMs, wait) => {
    expect(waitAfter({ attempts: 1, random: 0.5, retryAfterMs })).toBe(wait)
  })

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
    ['a date that is past', 'Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['nonsense', 'soon', undefined],
    ['negative', '-1', undefined],
    ['absent', undefined, undefined],
  ])('HOOK-23 Retry-After as %s', (_, header, wait) => {
    const read = readRetryAfter(header, Date.parse('2026-11-20T10:00:00Z'))
    expect(read).toBe(wait)
  })
})
