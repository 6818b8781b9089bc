/** Slots are shared by owner first: an owner whose work never ends keeps no other owner waiting. */
import { check, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareSlots } from '#core/queue/lease-queue.ts'

const WAITING = uniqueArray(
  record({
    owner: integer({ min: 0, max: 1_000 }).map(String),
    inFlight: integer({ min: 0, max: 300 }),
    quota: constantFrom(1, 16, 256, 5_000),
  }),
  { selector: ({ owner }) => owner, maxLength: 60 },
)

describe('slots', () => {
  it('FAIR-10 are never given out twice, beyond a quota, or to one while another with less gets none', () => {
    const holds = property(integer({ min: -5, max: 1_024 }), WAITING, (free, waiting) => {
      const shares = shareSlots(free, waiting)
      const given = [...shares].filter(([id]) => waiting.find(one => one.owner === id)!.inFlight > 0)
      expect(given.reduce((sum, [, { slots }]) => sum + slots, 0)).toBeLessThanOrEqual(Math.max(0, free))
      for (const { owner, inFlight, quota } of waiting) {
        const share = shares.get(owner)
        if (inFlight === 0) expect(share?.slots).toBeGreaterThanOrEqual(1)
        if (!share) continue
        expect(share.most).toBeLessThanOrEqual(quota)
        const poorer = waiting.filter(one => one.inFlight < Math.min(inFlight, one.quota))
        for (const one of poorer) expect(shares.has(one.owner)).toBe(true)
      }
    })
    expect(check(holds, { numRuns: 500 }).counterexample).toBeNull()
  })

  it('FAIR-11 leave the next client room, however many came before it', () => {
    const held = new Map<string, number>()
    const free = () => 1_024 - [...held.values()].reduce((sum, one) => sum + one, 0)
    for (let count = 1; count <= 8; count++) {
      held.set(`client-${count}`, 0)
      const waiting = [...held].map(([owner, inFlight]) => ({ owner, inFlight, quota: 256 }))
      for (const [id, { most }] of shareSlots(free(), waiting)) held.set(id, most)
      expect(held.get(`client-${count}`)).toBeGreaterThan(0)
      expect(free()).toBeGreaterThan(0)
    }
    const together = Array.from({ length: 4 }, (_, index) => ({
      owner: `${index}`,
      inFlight: 0,
      quota: 256,
    }))
    expect([...shareSlots(1_024, together).values()].map(({ slots }) => slots)).toEqual([204, 204, 204, 204])
  })
})
