/** Filters of a timeline as they stand in the address: plain texts, so that a link is a saved view. */
import { allOf, oneOf, type SearchParams } from '../../search-params.ts'
import type { MonthRowFragment } from './months.generated.ts'
import type { Outcome, TimelineFilter, TransactionKind, TransactionOrder } from './timeline.generated.ts'

export const KINDS: readonly TransactionKind[] = ['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION']
export const OUTCOMES: readonly Outcome[] = ['COMPLETED', 'FAILED', 'PENDING', 'CANCELLED', 'REVERSED']
export const ORDERS: readonly TransactionOrder[] = [
  'NEWEST_FIRST',
  'OLDEST_FIRST',
  'LARGEST_AMOUNT_FIRST',
  'SMALLEST_AMOUNT_FIRST',
]

export interface Filters {
  readonly kinds: readonly TransactionKind[]
  readonly outcomes: readonly Outcome[]
  /** Days of the operator, `YYYY-MM-DD`. */
  readonly from?: string
  readonly to?: string
  readonly text?: string
  readonly merchant?: string
  readonly postedBy?: string
  readonly min?: string
  readonly max?: string
  readonly order: TransactionOrder
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const AMOUNT = /^\d{1,12}(\.\d{1,6})?$/

const matching = (value: string | undefined, pattern: RegExp) =>
  value && pattern.test(value) ? value : undefined

const known = <Value extends string>(values: readonly string[], all: readonly Value[]): Value[] =>
  all.filter(one => values.includes(one))

/** Reads the filters of an address; what is none is passed over. */
export function readFilters(search: SearchParams): Filters {
  const text = (name: string) => oneOf(search[name])
  const [order = 'NEWEST_FIRST'] = known(allOf(search['order']), ORDERS)
  const optional = {
    from: matching(text('from'), DAY),
    to: matching(text('to'), DAY),
    text: text('text'),
    merchant: text('merchant'),
    postedBy: text('postedBy'),
    min: matching(text('min'), AMOUNT),
    max: matching(text('max'), AMOUNT),
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  return {
    ...given,
    kinds: known(allOf(search['kinds']), KINDS),
    outcomes: known(allOf(search['outcomes']), OUTCOMES),
    order,
  }
}

/** The parameters of an address for these filters; the usual order is left out. */
export const writeFilters = ({ order, ...filters }: Filters): Record<string, unknown> => ({
  ...filters,
  order: order === 'NEWEST_FIRST' ? undefined : order,
})

/** The graph's filter. */
export const toTimelineFilter = ({
  kinds,
  outcomes,
  min,
  max,
  order: _,
  ...same
}: Filters): TimelineFilter => ({
  ...same,
  ...(kinds.length > 0 && { kinds }),
  ...(outcomes.length > 0 && { outcomes }),
  ...(min && { minAmount: min }),
  ...(max && { maxAmount: max }),
})

/** Whether anything is narrowed. */
export const isNarrowed = ({ kinds, outcomes, order: _, ...rest }: Filters): boolean =>
  kinds.length > 0 || outcomes.length > 0 || Object.values(rest).some(Boolean)

/** Adds the value to a list, or takes it out. */
export const toggled = <Value>(values: readonly Value[], value: Value): Value[] =>
  values.includes(value) ? values.filter(one => one !== value) : [...values, value]

/** Outcomes of which a month has counts of their own. */
const COUNTED: readonly Outcome[] = ['COMPLETED', 'FAILED']

/** Narrows rows to outcomes, so that bars and entries agree; as they are where an outcome has no count of its own. */
export function ofOutcomes(
  rows: readonly MonthRowFragment[],
  outcomes: readonly Outcome[],
): readonly MonthRowFragment[] {
  if (outcomes.length === 0 || !outcomes.every(one => COUNTED.includes(one))) return rows
  const [hasCompleted, hasFailed] = COUNTED.map(one => outcomes.includes(one))
  const narrowed = rows.map(row => ({
    ...row,
    count: (hasCompleted ? row.completed : 0) + (hasFailed ? row.failed : 0),
    ...(!hasFailed && { failed: 0 }),
    // What failed has moved nothing.
    ...(!hasCompleted && { amounts: [], points: null }),
  }))
  return narrowed.filter(({ count }) => count > 0)
}
