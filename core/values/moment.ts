/** What a filter's `from` or `to` names: an instant, or a whole day of the operator's time zone. */
import { startOfDay, startOfNextDay } from './time.ts'

/** A day that stands where an instant may; what it means depends on which end of a span it is. */
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

/** A filter as a client gives it, whose ends may be days. */
export type WithMoments<Filter extends Span> = Omit<Filter, 'from' | 'to'> & {
  readonly from?: Moment | null
  readonly to?: Moment | null
}

/** What is between two instants, both within it. */
interface Span {
  readonly from?: Date | null
  readonly to?: Date | null
}

/** The instant, or the first of a day. */
export const startOf = (moment: Moment | null | undefined) =>
  moment instanceof CalendarDay ? moment.start : moment

/** The instant, or the last of a day. */
export const endOf = (moment: Moment | null | undefined) =>
  moment instanceof CalendarDay ? moment.end : moment

/** The filter with instants for days: the start of its first day, and the end of its last. */
export const withInstants = <Given extends WithMoments<Span>>({ from, to, ...others }: Given) => ({
  ...others,
  from: startOf(from),
  to: endOf(to),
})
