/** Format of times, numbers and amounts in a language. Times are in the operator's zone, amounts have their currency's decimals. */
import { pageConfig } from '../page-config.ts'

export interface Amount {
  readonly value: number
  readonly currency: string
}

/** Makes a formatter for each key once: making one costs more than using it. */
const oncePerKey = <Kind extends Intl.NumberFormat>(make: (key: string) => Kind) => {
  const made = new Map<string, Kind>()
  return (key: string): Kind => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}

/** Beginning of dates in a month that begins with a Monday: its days 1 to 7 are the days of the week, by number. */
const MONTH_FROM_MONDAY = '2024-01-0'

const SPANS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** Makes the functions that format values for a locale. */
export function createFormat(locale: string) {
  const zone = { timeZone: pageConfig.timezone }
  const dateTime = new Intl.DateTimeFormat(locale, {
    ...zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  const exact = new Intl.DateTimeFormat(locale, { ...zone, dateStyle: 'medium', timeStyle: 'long' })
  const day = new Intl.DateTimeFormat(locale, { ...zone, year: 'numeric', month: 'short', day: 'numeric' })
  const weekday = new Intl.DateTimeFormat(locale, {
    ...zone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  })
  const clock = new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit' })
  const seconds = new Intl.DateTimeFormat(locale, {
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  // A period is a date without a zone: it is read as UTC and shown as UTC.
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short', year: 'numeric' })
  const monthShort = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'short' })
  const dayOfWeek = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'long' })
  const dayOfWeekShort = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short' })
  const plainDay = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
  const plainDayShort = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
  const change = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const money = oncePerKey(
    currency => new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }),
  )
  const units = oncePerKey(
    unit =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow', maximumFractionDigits: 1 }),
  )
  const at = (value: string | number | Date) => new Date(value)
  return {
    locale,
    dateTime: (value: string) => dateTime.format(at(value)),
    /** Formats an instant with its seconds and the zone's name. */
    exact: (value: string) => exact.format(at(value)),
    day: (value: string | Date) => day.format(at(value)),
    weekday: (value: string | Date) => weekday.format(at(value)),
    clock: (value: string) => clock.format(at(value)),
    seconds: (value: string) => seconds.format(at(value)),
    month: (period: string) => month.format(at(`${period.slice(0, 10)}T00:00:00Z`)),
    dayOfWeek: (day: string) => dayOfWeek.format(at(`${MONTH_FROM_MONDAY}${Number(day)}T00:00:00Z`)),
    dayOfWeekShort: (day: string) =>
      dayOfWeekShort.format(at(`${MONTH_FROM_MONDAY}${Number(day)}T00:00:00Z`)),
    monthShort: (period: string) => monthShort.format(at(`${period.slice(0, 10)}T00:00:00Z`)),
    plainDay: (period: string) => plainDay.format(at(`${period.slice(0, 10)}T00:00:00Z`)),
    dayShort: (period: string) => plainDayShort.format(at(`${period.slice(0, 10)}T00:00:00Z`)),
    number: (value: number) => number.format(value),
    percent: (value: number) => percent.format(value),
    /** Formats a relative change (0.1 is 10 % more), with its sign. */
    change: (value: number) => change.format(value),
    money: ({ value, currency }: Amount) => money(currency).format(value),
    /** Formats a duration, given in milliseconds, in its largest fitting unit. */
    duration: (ms: number) =>
      ms < 1_000
        ? units('millisecond').format(ms)
        : ms < 60_000
          ? units('second').format(ms / 1_000)
          : ms < 3_600_000
            ? units('minute').format(ms / 60_000)
            : ms < 86_400_000
              ? units('hour').format(ms / 3_600_000)
              : units('day').format(ms / 86_400_000),
    /** Formats the time since or until an instant, such as "3 days ago". */
    relative(value: string, now = Date.now()) {
      const ms = at(value).getTime() - now
      const [unit, span] = SPANS.find(([, one]) => Math.abs(ms) >= one) ?? SPANS.at(-1)!
      return relative.format(Math.round(ms / span), unit)
    },
  }
}

export type Format = ReturnType<typeof createFormat>
