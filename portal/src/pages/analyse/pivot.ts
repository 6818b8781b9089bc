/** Rows of a summary as groups within periods: values, ranks, the top of each period, and the rest of it. */
import type { AnalyseMeasuredQuery, AnalyseQuery, SummaryGroup } from './analyse.generated.ts'
import { type Analysis, isAdditive, isMoney, type Measure } from './analysis.ts'

type MeasuredRow = NonNullable<AnalyseMeasuredQuery['summary']>[number]
/** A row, with the measures of its transactions where they were asked for. */
export type SummaryRow = NonNullable<AnalyseQuery['summary']>[number] & Partial<MeasuredRow>

/** Finds the value of a row in a dimension; null where its transactions have none. */
export const dimensionOf = (row: SummaryRow, group: SummaryGroup): string | null =>
  ({
    KIND: row.kind,
    OUTCOME: row.outcome,
    PARTNER: row.partner?.name ?? null,
    MERCHANT: row.merchant,
    CHANNEL: row.channel,
    CURRENCY: row.currency,
    REASON: row.reason,
    CUSTOMER: row.customer?.customerAccountNumber ?? null,
    CATEGORY: row.category,
    PRODUCT: row.product,
    PAYMENT_METHOD: row.paymentMethod,
  })[group]

/** Finds the value of the measure; of money that in one currency alone. */
export const measured = (row: SummaryRow, measure: Measure, currency: string | undefined): number =>
  ({
    count: row.count,
    completed: row.completed,
    failed: row.failed,
    rate: row.count === 0 ? 0 : row.failed / row.count,
    points: row.points ?? 0,
    amount: row.amounts.find(one => one.currency === currency)?.value ?? 0,
    average: row.average?.value ?? 0,
    customers: row.customers ?? 0,
    max: row.max?.value ?? 0,
    p50: row.p50?.value ?? 0,
    p95: row.p95?.value ?? 0,
    settledP50Ms: row.settledP50Ms ?? 0,
    settledP95Ms: row.settledP95Ms ?? 0,
  })[measure]

/** Keeps the rows that have the measure. An average of money in several currencies says nothing, so only one currency's rows stay. */
const having = (rows: readonly SummaryRow[], measure: Measure, currency: string | undefined) =>
  isMoney(measure) && measure !== 'amount'
    ? rows.filter(row => row.amounts.some(one => one.currency === currency))
    : rows

/** Adds several rows up to one. Four decimals are kept, the most that a currency has. */
export function joined(rows: readonly SummaryRow[]): SummaryRow {
  const amounts = new Map<string, number>()
  for (const { value, currency } of rows.flatMap(row => row.amounts))
    amounts.set(currency, Math.round(((amounts.get(currency) ?? 0) + value) * 1e4) / 1e4)
  const sum = (name: 'count' | 'completed' | 'failed') => rows.reduce((total, row) => total + row[name], 0)
  const points = rows.flatMap(row => row.points ?? [])
  const count = sum('count')
  return {
    ...rows[0]!,
    count,
    completed: sum('completed'),
    failed: sum('failed'),
    failureRate: count === 0 ? 0 : sum('failed') / count,
    amounts: [...amounts].map(([currency, value]) => ({ value, currency })),
    points: points.length === 0 ? null : points.reduce((total, one) => total + one, 0),
  }
}

/** One group in one period. */
export interface Cell {
  readonly key: string
  readonly period: string
  /** Its row; for the rest of a period the sum of the rows that are not shown. */
  readonly row: SummaryRow
  readonly isRest: boolean
  readonly value: number
  /** Share of its period's total, from 0 to 1; undefined for rates. */
  readonly share: number | undefined
  /** Relative change since the previous period that has rows; undefined where the group was not in it. */
  readonly change: number | undefined
  /** Number of groups: 1, or that of the rest. */
  readonly groups: number
}

export const REST = '\u0000rest'

/** Finds the currency to show: the chosen one, or the one with the most transactions. */
export function currencyOf(rows: readonly SummaryRow[], chosen: string | undefined): string | undefined {
  const counts = new Map<string, number>()
  for (const { amounts, count } of rows)
    for (const { currency } of amounts) counts.set(currency, (counts.get(currency) ?? 0) + count)
  if (chosen !== undefined && counts.has(chosen)) return chosen
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** Lists the currencies of the rows in alphabetical order. */
export const currenciesOf = (rows: readonly SummaryRow[]): string[] =>
  [...new Set(rows.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)))].toSorted()

/** Makes the key of a group, which is the same in every period. */
const keyOf = (row: SummaryRow, groups: readonly SummaryGroup[]): string =>
  JSON.stringify(groups.map(group => dimensionOf(row, group)))

/** Makes the cells of each period, the oldest period first. Within a period the largest value comes first. */
export function toPeriods(rows: readonly SummaryRow[], analysis: Analysis): Map<string, Cell[]> {
  const { groups, measure, top } = analysis
  const currency = currencyOf(rows, analysis.currency)
  const most = top === 'all' ? Number.POSITIVE_INFINITY : Number(top)
  const result = new Map<string, Cell[]>()
  let before = new Map<string, number>()
  for (const [period, own] of [...Map.groupBy(having(rows, measure, currency), row => row.period)].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )) {
    const byKey = [...Map.groupBy(own, row => keyOf(row, groups))].map(([key, same]) => {
      const row = joined(same)
      return { key, row, value: measured(row, measure, currency) }
    })
    const sorted = byKey.toSorted((a, b) => b.value - a.value || b.row.count - a.row.count)
    const total = sorted.reduce((sum, { value }) => sum + value, 0)
    const cell = (key: string, row: SummaryRow, isRest: boolean, of: number): Cell => {
      const value = measured(row, measure, currency)
      const then = isRest ? undefined : before.get(key)
      return {
        key,
        period,
        row,
        isRest,
        value,
        share: !isAdditive(measure) || total === 0 ? undefined : value / total,
        change: then === undefined || then === 0 ? undefined : (value - then) / then,
        groups: of,
      }
    }
    const shown = sorted.slice(0, most).map(({ key, row }) => cell(key, row, false, 1))
    const rest = sorted.slice(most)
    if (rest.length > 0 && (isAdditive(measure) || measure === 'rate'))
      shown.push(cell(REST, joined(rest.map(({ row }) => row)), true, rest.length))
    result.set(period, shown)
    before = new Map(sorted.map(({ key, value }) => [key, value]))
  }
  return result
}

/** Lists the keys of cells by their sums over all periods, the largest first and the rest last. */
export function keysInOrder(periods: ReadonlyMap<string, readonly Cell[]>): string[] {
  const sums = new Map<string, number>()
  for (const { key, value } of [...periods.values()].flat()) sums.set(key, (sums.get(key) ?? 0) + value)
  return [...sums]
    .toSorted(([a, one], [b, other]) => Number(a === REST) - Number(b === REST) || other - one)
    .map(([key]) => key)
}

/** Number of months of periods that are whole months. */
export const MONTHS: Readonly<Partial<Record<Analysis['by'], number>>> = { MONTH: 1, QUARTER: 3, YEAR: 12 }

/** Lists all periods from the first to the last, including those without rows. */
export function fillPeriods(found: readonly string[], by: Analysis['by']): string[] {
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined || by === 'ALL') return [...found]
  if (by === 'HOUR_OF_DAY') return Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  if (by === 'DAY_OF_WEEK') return Array.from({ length: 7 }, (_, index) => String(index + 1))
  const months = MONTHS[by]
  const days: string[] = []
  const day = new Date(`${first}T00:00:00Z`)
  const MOST = 2_000
  while (days.length < MOST) {
    const text = day.toISOString().slice(0, 10)
    if (text > last) break
    days.push(text)
    if (months) day.setUTCMonth(day.getUTCMonth() + months)
    else day.setUTCDate(day.getUTCDate() + (by === 'WEEK' ? 7 : 1))
  }
  return days
}
