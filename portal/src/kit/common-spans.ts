/** Spans of the operator's calendar that are often asked for, each from its first day to its last. */

/** A span by the name of its text. */
export interface CommonSpan {
  readonly key: 'today' | 'thisMonth' | 'lastMonth' | 'threeMonths' | 'twelveMonths'
  readonly from: string
  /** Its last day; until now without it. */
  readonly to?: string
}

const dayIn = (timeZone: string, now: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(now)

/** First day of the operator's calendar so many months ago. */
export function monthsAgo(months: number, timeZone: string, now = new Date()): string {
  const [year, month] = dayIn(timeZone, now).split('-').map(Number)
  return new Date(Date.UTC(year!, month! - 1 - months, 1)).toISOString().slice(0, 10)
}

/** The last day of the month that a day is in. */
export const endOfMonth = (day: string): string => {
  const [year, month] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)
}

/** The spans as of now, the shortest first. */
export function commonSpans(timeZone: string, now = new Date()): readonly CommonSpan[] {
  const since = (months: number) => monthsAgo(months, timeZone, now)
  return [
    { key: 'today', from: dayIn(timeZone, now) },
    { key: 'thisMonth', from: since(0) },
    { key: 'lastMonth', from: since(1), to: endOfMonth(since(1)) },
    { key: 'threeMonths', from: since(2) },
    { key: 'twelveMonths', from: since(11) },
  ]
}

/** The span that these days are; undefined where they are another. */
export const commonSpanOf = (
  spans: readonly CommonSpan[],
  from: string | undefined,
  to: string | undefined,
): CommonSpan | undefined => spans.find(span => span.from === from && span.to === to)
