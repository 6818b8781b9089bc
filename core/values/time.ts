/** Instants, and the days and months of the operator's time zone, by which lists filter and limits accumulate. */

const MINUTE = 60_000
const DAY = 86_400_000
/** Largest number of days whose offset is kept, for each zone: eleven years. Dates that clients invent must not fill the memory. */
const DAYS_KEPT = 4096
/** Bounds of instants whose year has four digits and that PostgreSQL can hold. */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Limits an instant to the years 0001 to 9999. */
export const withinCalendar = (instant: Date): Date =>
  new Date(Math.min(Math.max(instant.getTime(), EARLIEST), LATEST))

interface Zone {
  format: Intl.DateTimeFormat
  /** Offsets by UTC day; undefined for a day on which the offset changes. */
  offsets: Map<number, number | undefined>
}

const zones = new Map<string, Zone>()

const open = (name: string): Zone => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const zone = { format, offsets: new Map() }
  zones.set(name, zone)
  return zone
}

/** Reads the offset in milliseconds east of UTC from the formatter's `GMT+04:00` (plain `GMT` for 0). It has whole minutes. */
const readOffset = (format: Intl.DateTimeFormat, instant: number): number => {
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(instant)) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE
  return sign === '-' ? -size : size
}

const readDay = ({ format }: Zone, day: number): number | undefined => {
  const first = readOffset(format, day * DAY)
  return first === readOffset(format, (day + 1) * DAY) ? first : undefined
}

const offsetAt = (instant: number, name: string): number => {
  const zone = zones.get(name) ?? open(name)
  const day = Math.floor(instant / DAY)
  if (!zone.offsets.has(day)) {
    if (zone.offsets.size >= DAYS_KEPT) zone.offsets.clear()
    zone.offsets.set(day, readDay(zone, day))
  }
  return zone.offsets.get(day) ?? readOffset(zone.format, instant)
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

const showOffset = (offset: number) => {
  const minutes = Math.abs(offset) / MINUTE
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** Formats an instant by ISO 8601, with milliseconds and the zone's numeric offset: `2026-11-20T10:15:00.123+04:00`. */
export const formatOffset = (date: Date, zone: string): string => {
  const offset = offsetAt(date.getTime(), zone)
  return new Date(date.getTime() + offset).toISOString().slice(0, -1) + showOffset(offset)
}

/** Finds the calendar day of a zone at an instant, `YYYY-MM-DD`. */
export const localDay = (date: Date, zone: string): string =>
  new Date(date.getTime() + offsetAt(date.getTime(), zone)).toISOString().slice(0, 10)

/** Finds the minute between two instants at which the zone's offset changes. It must differ between them. */
const changeBetween = (from: number, to: number, zone: string): number => {
  if (to - from <= MINUTE) return to
  const middle = from + Math.floor((to - from) / MINUTE / 2) * MINUTE
  const changed = offsetAt(middle, zone) !== offsetAt(from, zone)
  return changed ? changeBetween(from, middle, zone) : changeBetween(middle, to, zone)
}

/**
 * Finds the instant at which a zone's clock first shows `midnight` (a local time written as if it were UTC). Where midnight is
 * skipped (Beirut in spring), the day starts with the change of the clock. Where it comes twice (Havana in autumn), the first one
 * counts.
 */
const firstShown = (midnight: number, zone: string): number => {
  const [before, after] = [midnight - DAY, midnight + DAY]
  const shown = [offsetAt(before, zone), offsetAt(after, zone)]
    .filter(offset => offsetAt(midnight - offset, zone) === offset)
    .map(offset => midnight - offset)
  return shown.length > 0 ? Math.min(...shown) : changeBetween(before, after, zone)
}

const startAt = (midnight: number, zone: string) => withinCalendar(new Date(firstShown(midnight, zone)))

/** Finds the instant at which a day of a zone starts. `isoDate` is `YYYY-MM-DD`, as `parseIsoDate` returns it. */
export const startOfDay = (isoDate: string, zone: string): Date => startAt(Date.parse(isoDate), zone)

/** Finds the instant at which the next day starts: the exclusive end of `isoDate`. */
export const startOfNextDay = (isoDate: string, zone: string): Date =>
  startAt(Date.parse(isoDate) + DAY, zone)

/** Finds the instant at which a zone's calendar month of `date` starts. */
export const startOfMonth = (date: Date, zone: string): Date =>
  startOfDay(`${localDay(date, zone).slice(0, 7)}-01`, zone)

/** Checks a day: the text itself if it is one of the calendar, written `YYYY-MM-DD`, from year 0001; undefined otherwise. */
export const parseIsoDate = (text: string): string | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return undefined
  const instant = Date.parse(text)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text) ? text : undefined
}

const CLOCK = /^T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** Leap second (RFC 3339 §5.6). JavaScript has none, so it is read as the second before it. */
const LEAP = /:60(?=[.Z+-])/i

/**
 * Tells whether a text is a date-time of RFC 3339: with a `T`, and with `Z` or an offset that has a colon. Its instant must lie
 * in the years 0001 to 9999 in UTC.
 */
export const isDateTime = (text: string): boolean => {
  if (parseIsoDate(text.slice(0, 10)) === undefined || !CLOCK.test(text.slice(10))) return false
  const instant = Date.parse(text.replace(LEAP, ':59'))
  return instant >= EARLIEST && instant <= LATEST
}

/** Day in the place of an instant. As the beginning of a span it is its first instant, as the end its last. */
export class CalendarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly #zone: string

  /** @param day as `parseIsoDate` returns it. */
  constructor(day: string, zone: string) {
    this.day = day
    this.#zone = zone
  }

  /** The first instant of the day. */
  get start(): Date {
    return startOfDay(this.day, this.#zone)
  }

  /** The last instant of the day: filters are inclusive, and times are kept in milliseconds. */
  get end(): Date {
    return new Date(startOfNextDay(this.day, this.#zone).getTime() - 1)
  }
}

export type Moment = Date | CalendarDay

/** Filter as a client gives it: the ends of its span may be days. */
export type WithMoments<Filter extends Span> = Omit<Filter, 'from' | 'to'> & {
  readonly from?: Moment | null
  readonly to?: Moment | null
}

/** Span between two instants, which both belong to it. */
interface Span {
  readonly from?: Date | null
  readonly to?: Date | null
}

/** Finds the first instant of a moment. */
export const startOf = (moment: Moment | null | undefined) =>
  moment instanceof CalendarDay ? moment.start : moment

/** Finds the last instant of a moment. */
export const endOf = (moment: Moment | null | undefined) =>
  moment instanceof CalendarDay ? moment.end : moment

/** Replaces the days of a filter by instants: the start of the first day, and the end of the last. */
export const withInstants = <Given extends WithMoments<Span>>({ from, to, ...others }: Given) => ({
  ...others,
  from: startOf(from),
  to: endOf(to),
})
