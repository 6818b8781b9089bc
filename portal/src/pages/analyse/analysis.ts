/** The question of an analysis as it stands in the address: plain texts, so that a link is the analysis. */
import { monthsAgo } from '../../kit/common-spans.ts'
import { allOf, oneOf, type SearchParams } from '../../search-params.ts'
import type { SummaryGroup, SummaryOrderField, SummaryPeriod, TransactionKind } from './analyse.generated.ts'

export const PERIODS: readonly SummaryPeriod[] = [
  'DAY',
  'WEEK',
  'MONTH',
  'QUARTER',
  'YEAR',
  'HOUR_OF_DAY',
  'DAY_OF_WEEK',
  'ALL',
]
export const GROUPS: readonly SummaryGroup[] = [
  'KIND',
  'OUTCOME',
  'PARTNER',
  'MERCHANT',
  'CHANNEL',
  'CURRENCY',
  'REASON',
  'CUSTOMER',
  'CATEGORY',
  'PRODUCT',
  'PAYMENT_METHOD',
]
export const MEASURES = [
  'count',
  'completed',
  'failed',
  'rate',
  'amount',
  'points',
  'average',
  'customers',
  'max',
  'p50',
  'p95',
  'settledP50Ms',
  'settledP95Ms',
] as const
export const TOPS = ['5', '10', '20', 'all'] as const
const KINDS: readonly TransactionKind[] = ['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION']

export type Measure = (typeof MEASURES)[number]

/** Measures of money: of one currency at a time. */
const OF_MONEY: readonly Measure[] = ['amount', 'average', 'max', 'p50', 'p95']
/** Measures that go through the transactions, and are asked for only when they are looked at. */
const OF_TRANSACTIONS: readonly Measure[] = ['customers', 'max', 'p50', 'p95', 'settledP50Ms', 'settledP95Ms']
/** Measures whose values add up to that of all groups together. */
const ADDITIVE: readonly Measure[] = ['count', 'completed', 'failed', 'amount', 'points']

export const isMoney = (measure: Measure): boolean => OF_MONEY.includes(measure)
export const isOfTransactions = (measure: Measure): boolean => OF_TRANSACTIONS.includes(measure)
export const isAdditive = (measure: Measure): boolean => ADDITIVE.includes(measure)

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
/** A period: its first day, an hour, or a day of the week. */
const PERIOD = /^(\d{4}-\d{2}-\d{2}|\d{1,2})$/

const known = <Value extends string>(all: readonly Value[], value: string | undefined): Value | undefined =>
  all.find(one => one === value)

const dayOf = (value: string | undefined) => (value && DAY.test(value) ? value : undefined)

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
    period: PERIOD.test(one('period') ?? '') ? one('period') : undefined,
  }
}

const ORDER_FIELD: Partial<Record<Measure, SummaryOrderField>> = {
  failed: 'FAILED',
  amount: 'AMOUNT',
  points: 'POINTS',
}

/** Order and number of the rows: of customers, who may be very many, only the first of each period. */
const firstRows = ({ groups, top, measure }: Analysis) =>
  groups.includes('CUSTOMER') && top !== 'all'
    ? {
        orderBy: { field: ORDER_FIELD[measure] ?? ('COUNT' as const), direction: 'DESC' as const },
        firstPerPeriod: Number(top),
      }
    : { orderBy: null, firstPerPeriod: null }

/** Variables of the query. */
export const toVariables = (analysis: Analysis) => {
  const { by, groups, from, to, kinds, merchant, postedBy, measure } = analysis
  return {
    by,
    // Money of several currencies cannot be added: it is told apart even where it is not grouped by.
    groupBy: isMoney(measure) ? [...new Set([...groups, 'CURRENCY' as const])] : groups,
    from: from ?? null,
    to: to ?? null,
    kinds: kinds.length > 0 ? kinds : null,
    merchant: merchant ?? null,
    postedBy: postedBy ?? null,
    ...firstRows(analysis),
  }
}
