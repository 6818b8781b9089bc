/** The question of an analysis as it stands in the address: plain texts, so that a link is the analysis. */
import { allOf, oneOf, type SearchParams } from '../../search-params.ts'
import type { SummaryGroup, SummaryPeriod, TransactionKind } from './analyse.generated.ts'

export const PERIODS: readonly SummaryPeriod[] = ['DAY', 'WEEK', 'MONTH', 'ALL']
export const GROUPS: readonly SummaryGroup[] = [
  'KIND',
  'OUTCOME',
  'PARTNER',
  'MERCHANT',
  'CHANNEL',
  'CURRENCY',
  'REASON',
]
export const MEASURES = ['count', 'completed', 'failed', 'rate', 'amount', 'points'] as const
export const TOPS = ['5', '10', '20', 'all'] as const
const KINDS: readonly TransactionKind[] = ['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION']

export type Measure = (typeof MEASURES)[number]

export interface Analysis {
  readonly by: SummaryPeriod
  readonly groups: readonly SummaryGroup[]
  /** Days of the operator, `YYYY-MM-DD`. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly kinds: readonly TransactionKind[]
  readonly merchant: string | undefined
  readonly postedBy: string | undefined
  readonly measure: Measure
  readonly currency: string | undefined
  readonly top: (typeof TOPS)[number]
  /** The period that the table is narrowed to. */
  readonly period: string | undefined
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

const known = <Value extends string>(all: readonly Value[], value: string | undefined): Value | undefined =>
  all.find(one => one === value)

const dayOf = (value: string | undefined) => (value && DAY.test(value) ? value : undefined)

/** First day of the operator's calendar so many months ago. */
export function monthsAgo(months: number, timeZone: string, now = new Date()): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)
  const [year, month] = today.split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1 - months, 1)).toISOString().slice(0, 10)
}

/** Months that are shown unless the address says otherwise. */
const MONTHS = 11

/** The marker of an address for everything that there is, since one without `from` means the last year. */
export const EVER = 'ever'

/**
 * Reads the analysis of an address; anything unknown in it is passed over.
 * @param timeZone of the operator, whose months they are.
 */
export function readAnalysis(search: SearchParams, timeZone: string, now = new Date()): Analysis {
  const one = (name: string) => oneOf(search[name])
  const groups = allOf(search['group']).flatMap(name => known(GROUPS, name) ?? [])
  return {
    by: known(PERIODS, one('by')) ?? 'MONTH',
    groups: search['group'] === undefined ? ['KIND'] : [...new Set(groups)],
    from: one('from') === EVER ? undefined : (dayOf(one('from')) ?? monthsAgo(MONTHS, timeZone, now)),
    to: dayOf(one('to')),
    kinds: KINDS.filter(kind => allOf(search['kinds']).includes(kind)),
    merchant: one('merchant'),
    postedBy: one('postedBy'),
    measure: known(MEASURES, one('measure')) ?? 'count',
    currency: one('currency'),
    top: known(TOPS, one('top')) ?? '5',
    period: dayOf(one('period')),
  }
}

/** Variables of the query. */
export const toVariables = ({ by, groups, from, to, kinds, merchant, postedBy, measure }: Analysis) => ({
  by,
  // Money of several currencies cannot be added: it is told apart even where it is not grouped by.
  groupBy: measure === 'amount' ? [...new Set([...groups, 'CURRENCY' as const])] : groups,
  from: from ?? null,
  to: to ?? null,
  kinds: kinds.length > 0 ? kinds : null,
  merchant: merchant ?? null,
  postedBy: postedBy ?? null,
})
