/** Spans of time that the tables of partner support look back over, and the periods of their charts. */
import type { Format } from '../i18n/format.ts'
import type { ChartPeriod } from '../kit/chart.tsx'
import { pageConfig } from '../page-config.ts'
import { oneOf, type SearchParams } from '../search-params.ts'

/** Days to look back over. */
export const SPANS = ['1', '7', '30'] as const
export type Span = (typeof SPANS)[number]

/** Reads the span of an address; a week unless it says otherwise. */
export const readSpan = (search: SearchParams): Span =>
  SPANS.find(one => one === oneOf(search['days'])) ?? '7'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: pageConfig.timezone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** The day, or the day and hour, that an instant is in on the operator's clock. */
const stampOf = (instant: number, span: Span): string => {
  const [day = '', time = ''] = parts.format(instant).split(', ')
  return span === '1' ? `${day} ${time.slice(0, 2)}` : day
}

/** Begin of a span: `YYYY-MM-DD` of the operator's calendar, or an hour of a single day. */
export function startOfSpan(span: Span, now = Date.now()): string {
  if (span !== '1') return stampOf(now - (Number(span) - 1) * DAY_MS, span)
  // Zones differ from UTC by whole quarters of an hour.
  const minutes = Number(parts.format(now).slice(-2))
  const hour = Math.floor(now / 60_000) * 60_000 - minutes * 60_000
  return new Date(hour - 23 * HOUR_MS).toISOString()
}

interface SpanPeriod extends ChartPeriod {
  /** The operator's day, or day and hour. */
  readonly key: string
}

/** The periods of a span, the oldest first: hours of a day, days of the rest. */
export function periodsOf(span: Span, f: Format, now = Date.now()): SpanPeriod[] {
  const [count, stepMs] = span === '1' ? [24, HOUR_MS] : [Number(span), DAY_MS]
  return Array.from({ length: count }, (_, index) => {
    const instant = now - (count - 1 - index) * stepMs
    const at = new Date(instant).toISOString()
    const key = stampOf(instant, span)
    if (span === '1') {
      const hour = `${key.slice(-2)}:00`
      return { key, short: index % 4 === 3 ? hour : '', long: `${f.day(at)}, ${hour}` }
    }
    const isNamed = count <= 7 || (count - 1 - index) % 5 === 0
    return { key, short: isNamed ? f.dayShort(key) : '', long: f.weekday(at) }
  })
}

/** Place of an instant, or of a day `YYYY-MM-DD`, among periods; -1 outside of them. */
export function placeOf(periods: readonly SpanPeriod[], at: string, span: Span): number {
  const key = at.length === 10 ? at : stampOf(Date.parse(at), span)
  return periods.findIndex(one => one.key === key)
}
