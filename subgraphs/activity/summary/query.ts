/** Query of a summary, checked so that the database can execute it, and the span of days that it covers. */

import { visibleClient } from '#core/access/visibility.ts'
import type { Config } from '#core/config/config.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { checkReference } from '#core/values/text.ts'
import { localDay, type Moment, startOfDay, startOfNextDay, withInstants } from '#core/values/time.ts'
import { type Kinds, pointsKinds } from '../kinds.ts'
import { heldName } from '../timeline/filter.ts'

/** From an instant up to another, without it. */
interface Part {
  readonly from: Date
  readonly until: Date
}

export interface Span {
  /** The first and the last whole day, `YYYY-MM-DD`; none when the last lies before the first. */
  readonly firstDay: string
  readonly lastDay: string
  readonly parts: readonly Part[]
}

const FIRST = '0001-01-01'
const LAST = '9999-12-31'
/** What lies outside is as good as no bound, and has no days to compute with. */
const EARLIEST = Date.parse('0001-01-03T00:00:00Z')
const LATEST = Date.parse('9999-12-29T00:00:00Z')

const within = (ms: number) => new Date(Math.min(Math.max(ms, EARLIEST), LATEST))

const isStart = (instant: Date, zone: string) =>
  startOfDay(localDay(instant, zone), zone).getTime() === instant.getTime()

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** The first whole day from an instant on, and the part of a day before it. */
const openAt = (from: Date, zone: string): { firstDay: string; part?: Part } => {
  const day = localDay(from, zone)
  if (isStart(from, zone)) return { firstDay: day }
  const until = startOfNextDay(day, zone)
  return { firstDay: localDay(until, zone), part: { from, until } }
}

/** The last whole day up to an instant, and the part of a day after it. */
const closeAt = (until: Date, zone: string): { lastDay: string; part?: Part } => {
  const day = localDay(until, zone)
  if (isStart(until, zone)) return { lastDay: dayBefore(day) }
  return { lastDay: dayBefore(day), part: { from: startOfDay(day, zone), until } }
}

/** Parts the span between two instants, both within it; null leaves it open. */
function spanOf(from: Date | null | undefined, to: Date | null | undefined, zone: string): Span {
  const begin = from && from.getTime() > EARLIEST ? within(from.getTime()) : undefined
  const end = to && to.getTime() < LATEST ? within(to.getTime() + 1) : undefined
  const opened = begin ? openAt(begin, zone) : { firstDay: FIRST }
  const closed = end ? closeAt(end, zone) : { lastDay: LAST }
  const { firstDay } = opened
  const { lastDay } = closed
  if (begin && end && opened.part && localDay(begin, zone) === localDay(end, zone))
    return { firstDay, lastDay, parts: begin < end ? [{ from: begin, until: end }] : [] }
  if (begin && end && begin >= end) return { firstDay: LAST, lastDay: FIRST, parts: [] }
  return { firstDay, lastDay, parts: [opened.part, closed.part].filter(part => part !== undefined) }
}

export type SummaryGroup = 'KIND' | 'OUTCOME' | 'CHANNEL' | 'MERCHANT' | 'CURRENCY' | 'PARTNER' | 'REASON'

type Period = 'DAY' | 'WEEK' | 'MONTH' | 'ALL'

/** The graph's `SummaryOrder`. */
export interface SummaryOrder {
  readonly field: 'COUNT' | 'AMOUNT' | 'POINTS' | 'FAILED' | 'PERIOD'
  readonly direction?: 'ASC' | 'DESC'
}

export interface SummaryArgs {
  readonly from?: Moment | null
  readonly to?: Moment | null
  readonly by: Period
  readonly groupBy?: readonly SummaryGroup[] | null
  readonly kinds?: readonly string[] | null
  readonly merchant?: string | null
  readonly postedBy?: string | null
  readonly orderBy?: SummaryOrder | null
  readonly first?: number | null
}

export interface SummaryQuery {
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  /** Only what this client posted. */
  readonly postedBy: string | undefined
  readonly kinds: readonly string[] | undefined
  readonly merchant: string | undefined
  readonly span: Span
  /** The day from which on it is asked for; undefined from the beginning. */
  readonly since: string | undefined
  readonly by: Period
  readonly groupBy: readonly SummaryGroup[]
  readonly orderBy: SummaryOrder
  readonly first: number | undefined
  /** The days of the sums are this time zone's. */
  readonly timezone: string
  /** The kinds that move points. */
  readonly pointsKinds: readonly string[]
}

/** A year of days told apart by kind and outcome has 5,475; more would stop everyone else while they are added up. */
export const MAX_ROWS = 10_000

const BY_PERIOD: SummaryOrder = { field: 'PERIOD', direction: 'ASC' }

const checkArgs = ({ postedBy, merchant, first }: SummaryArgs): void => {
  if (postedBy != null) checkReference('postedBy', postedBy)
  if (merchant != null) checkReference('merchant', merchant)
  if (first != null && (first < 0 || first > MAX_ROWS))
    throw invalidField('first', first < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_ROWS}`)
}

/** @throws ServiceError INVALID_ARGUMENT naming the argument that cannot be. */
export const summaryQuery = (
  { timezone }: Pick<Config, 'timezone'>,
  kinds: Kinds,
  { caller }: GraphContext,
  args: SummaryArgs,
): SummaryQuery => {
  checkArgs(args)
  const { from, to, by, groupBy, postedBy, merchant, orderBy, first } = withInstants(args)
  return {
    clientId: visibleClient(caller),
    postedBy: postedBy ?? undefined,
    kinds: args.kinds ?? undefined,
    merchant: merchant == null ? undefined : heldName(merchant),
    span: spanOf(from, to, timezone),
    since: from ? localDay(from, timezone) : undefined,
    by,
    groupBy: [...new Set(groupBy ?? [])],
    orderBy: orderBy ?? BY_PERIOD,
    first: first ?? undefined,
    timezone,
    pointsKinds: pointsKinds(kinds),
  }
}
