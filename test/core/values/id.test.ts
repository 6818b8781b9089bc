/** Identifiers: made in order, and recognized. */
import { describe, expect, it, vi } from 'vitest'
import { isId, newId } from '#core/values/id.ts'

describe('newId', () => {
  const ids = Array.from({ length: 5000 }, newId)

  it('is a UUID of version 7 and variant 10', () =>
    expect(
      ids.every(id => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true))

  it('is new, and sorts after the ids before it', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
  })

  it('sorts after the ids before it also while the clock goes back', () => {
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    const before = newId()
    vi.setSystemTime(Date.now() - 30_000)
    const after = [newId(), newId()]
    vi.useRealTimers()
    expect([before, ...after].toSorted()).toEqual([before, ...after])
  })

  it('has bytes of its own by chance', () => {
    const tails = Array.from({ length: 1_000 }, () => newId().slice(-10))
    expect(new Set(tails).size).toBe(tails.length)
  })

  it('starts with the time of its making in milliseconds', () => {
    const made = Number.parseInt(newId(new Date()).replace('-', '').slice(0, 12), 16)
    expect(Math.abs(Date.now() - made)).toBeLessThan(5000)
  })
})

describe('isId', () => {
  it.each([
    '019a9f6e-3b5c-7c1e-8f00-0123456789ab',
    '019A9F6E-3B5C-7C1E-8F00-0123456789AB',
    '00000000-0000-0000-0000-000000000000',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '12345678-1234-1234-1234-123456789012',
  ])('accepts %s', text => expect(isId(text)).toBe(true))

  it.each([
    '',
    '1',
    '019a9f6e3b5c7c1e8f000123456789ab',
    '{019a9f6e-3b5c-7c1e-8f00-0123456789ab}',
    '019a9f6e-3b5c-7c1e-8f00-0123456789ag',
    '019a9f6e-3b5c-7c1e-8f00-0123456789ab\n',
    ' 019a9f6e-3b5c-7c1e-8f00-0123456789ab',
  ])('refuses %j', text => expect(isId(text)).toBe(false))
})
