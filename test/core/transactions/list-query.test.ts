/** The query of a REST list: what it means, and what of it is out of range. */
import { describe, expect, it } from 'vitest'
import { parseListQuery } from '#core/transactions/read/list.ts'
import { parseQuery } from '#core/values/text.ts'

const parse = (text: string) => parseListQuery(parseQuery(text), 'Asia/Muscat')

describe('the query of a list', () => {
  it('has defaults for everything', () => {
    expect(parse('')).toEqual({ start: 0, perPage: 50 })
  })

  it('begins after the pages before it, and after what is skipped', () => {
    expect(parse('page=3&perPage=20&seek=5')).toEqual({ start: 65, perPage: 20 })
  })

  it("takes whole days of the operator's time zone, the last one included", () => {
    expect(parse('fromDate=2026-01-31&toDate=2026-01-31')).toMatchObject({
      from: new Date('2026-01-30T20:00:00Z'),
      to: new Date('2026-01-31T20:00:00Z'),
    })
  })

  it('asks for one transaction by its correlator, whatever else it says', () => {
    expect(parse('clientCorrelatorId=c-1&perPage=nonsense&page=-1')).toEqual({ clientCorrelatorId: 'c-1' })
  })

  it.each([
    ['perPage=0', 'perPage must be a whole number from 1 to 1000'],
    ['perPage=1001', 'perPage must be a whole number from 1 to 1000'],
    ['page=-1', 'page must be a whole number from 0'],
    ['seek=1.5', 'seek must be a whole number from 0'],
    ['seek=1e3', 'seek must be a whole number from 0'],
    ['page=1&page=2', 'page must be given once'],
    ['page=%ff', 'page must be percent-encoded UTF-8'],
    ['fromDate=2026-02-30', 'fromDate must be a date such as 2026-01-31'],
    ['fromDate=2026-02-02&toDate=2026-02-01', 'fromDate must not be after toDate'],
    [`clientCorrelatorId=${'x'.repeat(257)}`, 'clientCorrelatorId must not be longer than 256 characters'],
  ])('is out of range: %s', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'OUT_OF_RANGE', message: expect.stringContaining(message) }),
    )
  })

  it('reaches as far as numbers are exact', () => {
    expect(parse('page=1000000000000&perPage=1000&seek=1')).toMatchObject({ start: 1e15 + 1 })
  })
})
