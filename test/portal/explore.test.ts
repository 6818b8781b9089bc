/** Parts of the pages that need no browser. */
import { describe, expect, it, vi } from 'vitest'
import { commonSpanOf, commonSpans, endOfMonth } from '#portal/kit/common-spans.ts'
import type { Entry } from '#portal/pages/explore/entry.ts'
import { ofOutcomes, readFilters, toTimelineFilter, writeFilters } from '#portal/pages/explore/filters.ts'
import { createPagedEntries, KEPT_PAGES, PAGE_SIZE } from '#portal/pages/explore/paged-entries.ts'
import { asPhoneNumber } from '#portal/pages/explore/typed-number.ts'
import { readSearch, writeSearch } from '#portal/search-params.ts'

describe('numbers as people type them', () => {
  it.each([
    ['91000002', '91000002'],
    ['9100 0002', '91000002'],
    ['+968 9100-0002', '+96891000002'],
    ['00968 9100 0002', '+96891000002'],
    ['(968) 9100.0002', '96891000002'],
    ['٩١٠٠٠٠٠٢', '91000002'],
    ['\u202a+968 91000002\u202c', '+96891000002'],
  ])('PORTAL-01 MUST be read: %s', (typed, number) => expect(asPhoneNumber(typed)).toBe(number))

  it.each(['100002', 'Muna', '9100 0002 x', '01a201e4-38e5-76b6-8624-dd60c8fd73e4', ''])(
    'PORTAL-02 MUST not be seen in what is none: %s',
    typed => expect(asPhoneNumber(typed)).toBeUndefined(),
  )
})

describe('filters', () => {
  it('PORTAL-10 MUST come out of an address as they went in', () => {
    const search = '?kinds=PAYMENT&kinds=REWARD&outcomes=FAILED&from=2026-11-01&text=a+b&order=OLDEST_FIRST'
    const filters = readFilters(readSearch(search))
    expect(toTimelineFilter(filters)).toEqual({
      kinds: ['PAYMENT', 'REWARD'],
      outcomes: ['FAILED'],
      from: '2026-11-01',
      text: 'a b',
    })
    expect(readFilters(readSearch(writeSearch(writeFilters(filters))))).toEqual(filters)
  })

  it('PORTAL-11 MUST pass over what is none', () => {
    const filters = readFilters(readSearch('?kinds=NONE&from=yesterday&min=1e9&order=ANY&outcomes='))
    expect(filters).toEqual({ kinds: [], outcomes: [], order: 'NEWEST_FIRST' })
    expect(writeSearch(writeFilters(filters))).toBe('')
  })

  it('PORTAL-12 MUST know the last day of a month', () => {
    expect(['2026-11-01', '2026-12-01', '2028-02-01'].map(endOfMonth)).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2028-02-29',
    ])
  })
})

describe('spans that are often asked for', () => {
  const NEW_YEAR = new Date('2026-12-31T21:00:00Z')

  it("PORTAL-13 MUST be those of the operator's calendar, the last month over a year's end too", () => {
    const spans = commonSpans('Asia/Muscat', NEW_YEAR)
    expect(spans).toEqual([
      { key: 'today', from: '2027-01-01' },
      { key: 'thisMonth', from: '2027-01-01' },
      { key: 'lastMonth', from: '2026-12-01', to: '2026-12-31' },
      { key: 'threeMonths', from: '2026-11-01' },
      { key: 'twelveMonths', from: '2026-02-01' },
    ])
    expect(commonSpanOf(spans, '2026-12-01', '2026-12-31')?.key).toBe('lastMonth')
    expect(commonSpanOf(spans, '2026-12-01', undefined)).toBeUndefined()
  })
})

describe('months by kind', () => {
  const row = {
    period: '2026-11-01',
    kind: 'REWARD',
    count: 9,
    completed: 6,
    failed: 2,
    amounts: [{ value: 5, currency: 'OMR' }],
    points: 70,
  } as const

  it('PORTAL-14 MUST count the outcomes that are chosen, as the timeline does', () => {
    expect(ofOutcomes([row], [])).toEqual([row])
    expect(ofOutcomes([row], ['FAILED'])).toEqual([{ ...row, count: 2, amounts: [], points: null }])
    expect(ofOutcomes([row], ['COMPLETED'])).toEqual([{ ...row, count: 6, failed: 0 }])
    expect(ofOutcomes([row], ['COMPLETED', 'FAILED'])).toEqual([{ ...row, count: 8 }])
    expect(ofOutcomes([row], ['FAILED', 'PENDING'])).toEqual([row])
    expect(ofOutcomes([{ ...row, failed: 0 }], ['FAILED'])).toEqual([])
  })
})

describe('a timeline that is read page by page', () => {
  const entry = (index: number): Entry => ({
    kind: 'PAYMENT',
    occurredAt: '2026-11-01T00:00:00Z',
    outcome: 'COMPLETED',
    description: String(index),
    amount: null,
    points: null,
    transaction: null,
  })

  /** A source of so many entries, whose cursors are places. */
  const sourceOf = (total: number) =>
    vi.fn(async (first: number, after: string | undefined) => {
      const begin = after === undefined ? 0 : Number(after)
      const end = Math.min(total, begin + first)
      return {
        entries: Array.from({ length: end - begin }, (_, index) => entry(begin + index)),
        next: end < total ? String(end) : undefined,
        faults: [],
      }
    })

  it('PORTAL-20 MUST hold a few pages of 100,000 entries, and read the rest again', async () => {
    const read = sourceOf(100_000)
    const entries = createPagedEntries(read)
    let most = 0
    while (!entries.state().isComplete) {
      const { length } = entries.state()
      entries.want(length - 10, length + 10)
      await vi.waitFor(() => expect(entries.state().length).toBeGreaterThan(length), { interval: 0 })
      most = Math.max(most, entries.held())
    }
    expect(entries.state().length).toBe(100_000)
    expect(most).toBeLessThanOrEqual(KEPT_PAGES * PAGE_SIZE)
    expect(entries.at(99_999)?.description).toBe('99999')
    expect(entries.at(0)).toBeUndefined()
    entries.want(0, 40)
    await vi.waitFor(() => expect(entries.at(0)?.description).toBe('0'))
    await vi.waitFor(() => expect(entries.at(40)?.description).toBe('40'))
    expect(entries.held()).toBeLessThanOrEqual(KEPT_PAGES * PAGE_SIZE)
  })

  it('PORTAL-21 MUST keep what is there when a page fails, and go on when asked to', async () => {
    const whole = sourceOf(200)
    let isAway = false
    const fault = { message: 'away', code: 'SERVICE_UNAVAILABLE' }
    const entries = createPagedEntries(async (first, after) =>
      isAway ? { entries: [], next: undefined, faults: [fault] } : whole(first, after),
    )
    await vi.waitFor(() => expect(entries.state().isLoading).toBe(false))
    const { length } = entries.state()
    isAway = true
    entries.want(length, length + 10)
    await vi.waitFor(() => expect(entries.state().faults).toEqual([fault]))
    expect(entries.state().length).toBe(length)
    isAway = false
    entries.retry()
    await vi.waitFor(() => expect(entries.state().length).toBeGreaterThan(length))
    expect(entries.state().faults).toEqual([])
  })
})
