/** Summaries by the schoolbook: every transaction looked at, one after the other. */
import { Decimal } from '#core/values/money.ts'
import { outcomeOf, reasonOf, type Written } from './history.ts'

export type Group = 'KIND' | 'OUTCOME' | 'CHANNEL' | 'MERCHANT' | 'CURRENCY' | 'PARTNER' | 'REASON'
export type Period = 'DAY' | 'WEEK' | 'MONTH' | 'ALL'

const dayOf = (instant: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(instant)

const monday = (day: string): string => {
  const date = new Date(day)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** @param first the day that everything begins on. */
const periodOf = (instant: Date, by: Period, zone: string, first: string): string => {
  const day = dayOf(instant, zone)
  if (by === 'ALL') return first
  return by === 'DAY' ? day : by === 'WEEK' ? monday(day) : `${day.slice(0, 7)}-01`
}

const FIELD: Record<Group, (row: Written) => string | null> = {
  KIND: ({ kind }) => kind.name,
  OUTCOME: outcomeOf,
  CHANNEL: ({ channel }) => channel || null,
  MERCHANT: ({ merchant }) => merchant || null,
  CURRENCY: ({ currency }) => currency,
  PARTNER: ({ clientId }) => clientId,
  REASON: reasonOf,
}
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

const toRow = (rows: readonly Written[], groupBy: readonly Group[], period: string) => {
  const amounts = amountsOf(rows)
  const failed = rows.filter(row => outcomeOf(row) === 'FAILED').length
  const groups = Object.fromEntries(
    GROUPS.map(group => [group.toLowerCase(), groupBy.includes(group) ? FIELD[group](rows[0]!) : null]),
  )
  return {
    period,
    ...groups,
    partner: groups['partner'] && { id: groups['partner'] },
    count: rows.length,
    completed: rows.filter(row => outcomeOf(row) === 'COMPLETED').length,
    failed,
    failureRate: failed / rows.length,
    amount: amounts.length === 1 ? amounts[0] : null,
    amounts,
    points: rows.some(row => row.points !== null) ? sum(rows, 'points') : null,
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

/** Comparable, whatever the order. */
export const sorted = (rows: readonly object[]): string[] =>
  rows.map(row => JSON.stringify(row, Object.keys(toRowShape).sort())).sort()

const toRowShape = Object.fromEntries(
  'period kind outcome channel merchant currency partner id reason count completed failed failureRate amount amounts value points'
    .split(' ')
    .map(name => [name, true]),
)
