/** Questions and answers of the page for analysts, without a browser. */
import { describe, expect, it } from 'vitest'

import { readAnalysis, toVariables } from '#portal/pages/analyse/analysis.ts'
import { currencyOf, fillPeriods, keysInOrder, REST, toPeriods } from '#portal/pages/analyse/pivot.ts'
import { readSearch } from '#portal/search-params.ts'

type Row = Parameters<typeof toPeriods>[0][number]

const ZONE = 'Asia/Muscat'
const NOW = new Date('2026-11-20T22:00:00Z')

const row = (
  period: string,
  kind: Row['kind'],
  count: number,
  failed = 0,
  money?: [number, string],
): Row => ({
  period,
  kind,
  outcome: null,
  channel: null,
  merchant: null,
  currency: null,
  partner: null,
  reason: null,
  customer: null,
  category: null,
  product: null,
  paymentMethod: null,
  average: null,
  count,
  completed: count - failed,
  failed,
  failureRate: failed / count,
  amounts: money ? [{ value: money[0], currency: money[1] }] : [],
  points: null,
})

describe('a question', () => {
  it('ANALYSIS-01 MUST be read from an address, without what is unknown', () => {
    const analysis = readAnalysis(
      readSearch('?by=DECADE&group=KIND&group=NONE&kinds=PAYMENT&top=7&from=x'),
      ZONE,
      NOW,
    )
    expect(analysis).toMatchObject({
      by: 'MONTH',
      groups: ['KIND'],
      kinds: ['PAYMENT'],
      top: '5',
      from: '2025-12-01',
    })
  })

  it('ANALYSIS-02 MUST tell currencies apart where money is measured, and ask for everything', () => {
    const analysis = readAnalysis(readSearch('?measure=amount&group=none&from=ever'), ZONE, NOW)
    expect(toVariables(analysis)).toMatchObject({ groupBy: ['CURRENCY'], from: null, kinds: null })
  })
})

describe('a question about transactions', () => {
  it('ANALYSIS-09 MUST ask for the first customers of each period alone, and keep money apart', () => {
    const analysis = readAnalysis(
      readSearch('?measure=p95&group=CUSTOMER&by=HOUR_OF_DAY&period=07'),
      ZONE,
      NOW,
    )
    expect(analysis).toMatchObject({ by: 'HOUR_OF_DAY', period: '07', measure: 'p95' })
    expect(toVariables(analysis)).toMatchObject({
      groupBy: ['CUSTOMER', 'CURRENCY'],
      firstPerPeriod: 5,
      orderBy: { field: 'COUNT', direction: 'DESC' },
    })
  })

  it('ANALYSIS-10 MUST add up neither averages nor customers, and leave out what has no such money', () => {
    const rows: Row[] = [
      { ...row('01', 'PAYMENT', 3, 0, [9, 'OMR']), average: { value: 3, currency: 'OMR' }, customers: 2 },
      { ...row('01', 'RECHARGE', 2, 0, [2, 'OMR']), average: { value: 1, currency: 'OMR' }, customers: 2 },
      { ...row('01', 'REWARD', 5), customers: 4 },
    ]
    const of = (measure: string) =>
      toPeriods(
        rows,
        readAnalysis(readSearch(`?measure=${measure}&by=HOUR_OF_DAY&group=KIND`), ZONE, NOW),
      ).get('01')!
    expect(of('average').map(({ value, share }) => [value, share])).toEqual([
      [3, undefined],
      [1, undefined],
    ])
    expect(of('customers').map(({ value }) => value)).toEqual([4, 2, 2])
    expect(fillPeriods(['01'], 'HOUR_OF_DAY')).toHaveLength(24)
    expect(fillPeriods(['2026-01-01', '2026-07-01'], 'QUARTER')).toEqual([
      '2026-01-01',
      '2026-04-01',
      '2026-07-01',
    ])
  })
})

describe('an answer', () => {
  const rows = [
    row('2026-09-01', 'PAYMENT', 10, 1),
    row('2026-09-01', 'RECHARGE', 30),
    row('2026-09-01', 'REWARD', 5),
    row('2026-11-01', 'PAYMENT', 20, 5),
  ]

  it('ANALYSIS-10 MUST have the top of each period, and the rest as one', () => {
    const analysis = { ...readAnalysis({}, ZONE, NOW), top: '5' as const }
    const all = toPeriods(rows, analysis)
    expect(all.get('2026-09-01')!.map(({ value, share }) => [value, share])).toEqual([
      [30, 30 / 45],
      [10, 10 / 45],
      [5, 5 / 45],
    ])
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...row('2026-09-01', null, index + 1, 1),
      merchant: `m${index}`,
    }))
    const cells = toPeriods(many, { ...analysis, groups: ['MERCHANT'] }).get('2026-09-01')!
    expect(cells).toHaveLength(6)
    expect(cells.at(-1)).toMatchObject({ key: REST, isRest: true, value: 1 + 2 + 3, groups: 3 })
    expect(cells.at(-1)!.row.failureRate).toBeCloseTo(3 / 6)
    expect(keysInOrder(new Map([['2026-09-01', cells]])).at(-1)).toBe(REST)
  })

  it('ANALYSIS-11 MUST say the change against the period before', () => {
    const found = toPeriods(rows, readAnalysis({}, ZONE, NOW))
    expect(found.get('2026-11-01')![0]!.change).toBe(1)
    expect(found.get('2026-09-01')![0]!.change).toBeUndefined()
  })

  it('ANALYSIS-12 MUST add money of one currency alone', () => {
    const money = [
      row('2026-09-01', 'PAYMENT', 3, 0, [1.5, 'OMR']),
      row('2026-09-01', 'PAYMENT', 1, 0, [9, 'USD']),
    ]
    expect(currencyOf(money, undefined)).toBe('OMR')
    expect(currencyOf(money, 'USD')).toBe('USD')
    const analysis = { ...readAnalysis({}, ZONE, NOW), measure: 'amount' as const }
    expect(toPeriods(money, analysis).get('2026-09-01')![0]!.value).toBe(1.5)
  })

  it('ANALYSIS-13 MUST have periods without anything too', () => {
    expect(fillPeriods(['2026-09-01', '2026-11-01'], 'MONTH')).toEqual([
      '2026-09-01',
      '2026-10-01',
      '2026-11-01',
    ])
    expect(fillPeriods(['2026-11-02', '2026-11-16'], 'WEEK')).toEqual([
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ])
  })
})
