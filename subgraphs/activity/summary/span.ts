/** Span of a summary: the whole days that it covers, and the parts of days at both ends. */
import { localDay, startOfDay, startOfNextDay } from '#core/values/time.ts'

/** Time from an instant up to another, which is excluded. */
interface Part {
  readonly from: Date
  readonly until: Date
}

export interface Span {
  /** Beginning of the span, and its end, which is excluded; undefined where it is open. */
  readonly from: Date | undefined
  readonly until: Date | undefined
  /** First and last whole day, `YYYY-MM-DD`; there is none where the last lies before the first. */
  readonly firstDay: string
  readonly lastDay: string
  readonly parts: readonly Part[]
}

const FIRST = '0001-01-01'
const LAST = '9999-12-31'
/** Years with computable days; an instant outside them is no bound. */
const EARLIEST = Date.parse('0001-01-03T00:00:00Z')
const LATEST = Date.parse('9999-12-29T00:00:00Z')

const within = (ms: number) => new Date(Math.min(Math.max(ms, EARLIEST), LATEST))

const isStart = (instant: Date, zone: string) =>
  startOfDay(localDay(instant, zone), zone).getTime() === instant.getTime()

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** First whole day from an instant on, and the part of a day before it. */
const openAt = (from: Date, zone: string): { firstDay: string; part?: Part } => {
  const day = localDay(from, zone)
  if (isStart(from, zone)) return { firstDay: day }
  const until = startOfNextDay(day, zone)
  return { firstDay: localDay(until, zone), part: { from, until } }
}

/** Last whole day up to an instant, and the part of a day after it. */
const closeAt = (until: Date, zone: string): { lastDay: string; part?: Part } => {
  const day = localDay(until, zone)
  if (isStart(until, zone)) return { lastDay: dayBefore(day) }
  return { lastDay: dayBefore(day), part: { from: startOfDay(day, zone), until } }
}

/** Parts the span between two instants, which both belong to it, into days; null leaves an end open. */
export function spanOf(from: Date | null | undefined, to: Date | null | undefined, zone: string): Span {
  const begin = from && from.getTime() > EARLIEST ? within(from.getTime()) : undefined
  const end = to && to.getTime() < LATEST ? within(to.getTime() + 1) : undefined
  const opened = begin ? openAt(begin, zone) : { firstDay: FIRST }
  const closed = end ? closeAt(end, zone) : { lastDay: LAST }
  const ends = { from: begin, until: end }
  const { firstDay } = opened
  const { lastDay } = closed
  if (begin && end && opened.part && localDay(begin, zone) === localDay(end, zone))
    return { ...ends, firstDay, lastDay, parts: begin < end ? [{ from: begin, until: end }] : [] }
  if (begin && end && begin >= end) return { ...ends, firstDay: LAST, lastDay: FIRST, parts: [] }
  return { ...ends, firstDay, lastDay, parts: [opened.part, closed.part].filter(part => part !== undefined) }
}
