/** Summaries by the schoolbook: every transaction looked at, one after the other. */
import { Decimal } from '#core/values/money.ts'
import { CATEGORIES, outcomeOf, reasonOf, type Written } from './history.ts'

export type Group =
  | 'KIND'
  | 'OUTCOME'
  | 'CHANNEL'
  | 'MERCHANT'
  | 'CURRENCY'
  | 'PARTNER'
  | 'REASON'
  | 'CUSTOMER'
  | 'CATEGORY'
  | 'PRODUCT'
  | 'PAYMENT_METHOD'
export type Period = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'HOUR_OF_DAY' | 'DAY_OF_WEEK' | 'ALL'

const dayOf = (instant: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(instant)

const monday = (day: string): string => {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

const hourOf = (instant: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(instant)

/** Month with which the quarter of a month begins. */
const firstOfQuarter = (month: number) => String(month - ((month - 1) % 3)).padStart(2, '0')

/** @param first the day that everything begins on. */
const periodOf = (instant: Date, by: Period, zone: string, first: string): string => {
  const day = dayOf(instant, zone)
  const [year, month] = day.split('-')
  switch (by) {
    case 'ALL':
      return first
    case 'DAY':
      return day
    case 'WEEK':
      return monday(day)
    case 'MONTH':
      return `${year}-${month}-01`
    case 'QUARTER':
      return `${year}-${firstOfQuarter(Number(month))}-01`
    case 'YEAR':
      return `${year}-01-01`
    case 'HOUR_OF_DAY':
      return hourOf(instant, zone)
    default:
      return String(new Date(day).getUTCDay() || 7)
  }
}

const FIELD: Record<Group, (row: Written) => string | null> = {
  KIND: ({ kind }) => kind.name,
  OUTCOME: outcomeOf,
  CHANNEL: ({ channel }) => channel || null,
  MERCHANT: ({ merchant }) => merchant || null,
  CURRENCY: ({ currency }) => currency,
  PARTNER: ({ clientId }) => clientId,
  REASON: reasonOf,
  CUSTOMER: ({ accountNumber }) => accountNumber,
  CATEGORY: ({ accountNumber }) => CATEGORIES[accountNumber] ?? null,
  PRODUCT: ({ product }) => product || null,
  PAYMENT_METHOD: ({ method }) => method || null,
}
/** Names of the groups' fields in the graph. */
const NAME = (group: Group) => (group === 'PAYMENT_METHOD' ? 'paymentMethod' : group.toLowerCase())
const GROUPS = Object.keys(FIELD) as Group[]

const sum = (rows: readonly Written[], field: 'amount' | 'points') =>
  rows
    .filter(row => outcomeOf(row) === 'COMPLETED')
    .reduce((total, row) => total.plus(row[field] ?? 0), new Decimal(0))
    .toNumber()

const amountsOf = (rows: readonly Written[]) =>
  [
    ...Map.groupBy(
      rows.filter(row => row.currency !== null),
      row => row.currency!,
    ).entries(),
  ]
    .map(([currency, some]) => ({ currency, value: sum(some, 'amount') }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))

/** The least value that so many in a hundred do not exceed. */
const percentile = (values: readonly number[], percent: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? null

const measuresOf = (rows: readonly Written[], amounts: readonly { readonly currency: string }[]) => {
  const moved = rows.filter(row => outcomeOf(row) === 'COMPLETED' && row.currency !== null)
  const values = moved.map(({ amount }) => Number(amount))
  const total = moved.reduce((sum, row) => sum.plus(row.amount!), new Decimal(0))
  const decimals = amounts[0]?.currency === 'OMR' ? 3 : 2
  const average = () => total.div(moved.length).toDecimalPlaces(decimals, Decimal.ROUND_HALF_UP).toNumber()
  const money = (value: () => number | null) =>
    amounts.length === 1 && moved.length > 0 ? { currency: amounts[0]!.currency, value: value() } : null
  const times = rows.flatMap(({ settledMs }) => settledMs ?? [])
  return {
    average: money(average),
    max: money(() => Math.max(...values)),
    p50: money(() => percentile(values, 50)),
    p95: money(() => percentile(values, 95)),
    customers: new Set(rows.map(({ accountNumber }) => accountNumber)).size,
    settledP50Ms: percentile(times, 50),
    settledP95Ms: percentile(times, 95),
  }
}

const toRow = (rows: readonly Written[], groupBy: readonly Group[], period: string) => {
  const amounts = amountsOf(rows)
  const failed = rows.filter(row => outcomeOf(row) === 'FAILED').length
  const groups = Object.fromEntries(
    GROUPS.map(group => [NAME(group), groupBy.includes(group) ? FIELD[group](rows[0]!) : null]),
  )
  return {
    period,
    ...groups,
    partner: groups['partner'] && { id: groups['partner'] },
    customer: groups['customer'] && { customerAccountNumber: groups['customer'] },
    count: rows.length,
    completed: rows.filter(row => outcomeOf(row) === 'COMPLETED').length,
    failed,
    failureRate: failed / rows.length,
    amount: amounts.length === 1 ? amounts[0] : null,
    amounts,
    points: rows.some(row => row.points !== null) ? sum(rows, 'points') : null,
    ...measuresOf(rows, amounts),
  }
}

/** The rows, in no order that matters: both sides are sorted as text. */
export const summarise = (
  rows: readonly Written[],
  groupBy: readonly Group[],
  by: Period,
  zone: string,
  from?: Date,
) => {
  const instants = rows.map(row => row.createdAt.getTime())
  const first = rows.length === 0 ? '' : dayOf(from ?? new Date(Math.min(...instants)), zone)
  const period = (row: Written) => periodOf(row.createdAt, by, zone, first)
  return [
    ...Map.groupBy(rows, row =>
      JSON.stringify([period(row), ...groupBy.map(group => FIELD[group](row))]),
    ).values(),
  ].map(some => toRow(some, groupBy, period(some[0]!)))
}

export const SUMMARY_FIELDS = `period kind outcome channel merchant currency partner { id } reason count completed failed
  failureRate amount { currency value } amounts { currency value } points`

/** Fields that no sum by day has, or that it has by its finest sums alone. */
export const MEASURE_FIELDS = `customer { customerAccountNumber } category product paymentMethod customers average { currency value }
  max { currency value } p50 { currency value } p95 { currency value } settledP50Ms settledP95Ms`

const namesIn = (fields: string) => [...new Set(fields.match(/\w+/g))].sort()

/** Rows as texts that can be compared, whatever their order and that of their fields. @param fields those that they have. */
export const sorted = (rows: readonly object[], fields = SUMMARY_FIELDS): string[] =>
  rows.map(row => JSON.stringify(row, namesIn(fields))).sort()
