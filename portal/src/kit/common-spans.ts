/** Common spans of days, such as this month, in the operator's time zone. */

/** Span of days; `key` names its text. */
export interface CommonSpan {
  readonly key: 'today' | 'thisMonth' | 'lastMonth' | 'threeMonths' | 'twelveMonths'
  readonly from: string
  /** Its last day. A span without one lasts until now. */
  readonly to?: string
}

/** Formats the current day of a time zone as YYYY-MM-DD, which is the Canadian form. */
const todayIn = (timeZone: string, now: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)

/** Finds the first day of the month that lies so many months back in a time zone. */
export function monthsAgo(months: number, timeZone: string, now = new Date()): string {
  const [year, month] = todayIn(timeZone, now).split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1 - months, 1)).toISOString().slice(0, 10)
}

/** Finds the last day of a day's month. */
export const endOfMonth = (day: string): string => {
  const [year, month] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)
}

/** Makes the common spans as of now, the shortest first. */
export function commonSpans(timeZone: string, now = new Date()): readonly CommonSpan[] {
  const since = (months: number) => monthsAgo(months, timeZone, now)
  return [
    { key: 'today', from: todayIn(timeZone, now) },
    { key: 'thisMonth', from: since(0) },
    { key: 'lastMonth', from: since(1), to: endOfMonth(since(1)) },
    { key: 'threeMonths', from: since(2) },
    { key: 'twelveMonths', from: since(11) },
  ]
}

/** Finds the common span between two days; undefined where they are none. */
export const commonSpanOf = (
  spans: readonly CommonSpan[],
  from: string | undefined,
  to: string | undefined,
): CommonSpan | undefined => spans.find(span => span.from === from && span.to === to)
