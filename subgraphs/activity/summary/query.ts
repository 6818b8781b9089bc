/**
 * Query of a summary, checked so that the database can execute it, and the table that has what it asks for. Its span is parted
 * into the whole days that it covers, and the parts of days at both ends.
 */
import { visibleClient } from '#core/access/visibility.ts'
import type { Config } from '#core/config/config.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { checkReference } from '#core/values/text.ts'
import { localDay, type Moment, startOfDay, startOfNextDay, withInstants } from '#core/values/time.ts'
import { type Kinds, pointsKinds } from '../kinds.ts'
import { checkList, heldName } from '../timeline/filter.ts'

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

export type SummaryGroup =
  | 'KIND'
  | 'OUTCOME'
  | 'CHANNEL'
  | 'MERCHANT'
  | 'CURRENCY'
  | 'PARTNER'
  | 'REASON'
  | 'CUSTOMER'
  | 'CATEGORY'
  | 'PRODUCT'
  | 'PAYMENT_METHOD'

export type Period = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR' | 'HOUR_OF_DAY' | 'DAY_OF_WEEK' | 'ALL'

/** Measures that are computed when they are selected, since sums by day do not have them. */
export const MEASURES = ['customers', 'max', 'p50', 'p95', 'settledP50Ms', 'settledP95Ms'] as const

export type Measure = (typeof MEASURES)[number]

/** The graph's `SummaryOrder`. */
export interface SummaryOrder {
  readonly field: 'COUNT' | 'AMOUNT' | 'POINTS' | 'FAILED' | 'PERIOD'
  readonly direction?: 'ASC' | 'DESC'
}

/** Lists that narrow a summary, as they narrow a timeline. */
export interface SummaryLists {
  readonly merchants?: readonly string[] | null
  readonly channels?: readonly string[] | null
  readonly reasons?: readonly string[] | null
  /** Account numbers. */
  readonly customers?: readonly string[] | null
}

export interface SummaryArgs extends SummaryLists {
  readonly from?: Moment | null
  readonly to?: Moment | null
  readonly by: Period
  readonly groupBy?: readonly SummaryGroup[] | null
  readonly kinds?: readonly string[] | null
  readonly merchant?: string | null
  readonly postedBy?: string | null
  readonly orderBy?: SummaryOrder | null
  readonly first?: number | null
  readonly firstPerPeriod?: number | null
}

export interface SummaryQuery {
  /** Only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  /** Client that posted the transactions; undefined for all. */
  readonly postedBy: string | undefined
  readonly kinds: readonly string[] | undefined
  readonly merchant: string | undefined
  readonly merchants: readonly string[] | undefined
  readonly channels: readonly string[] | undefined
  readonly reasons: readonly string[] | undefined
  readonly customers: readonly string[] | undefined
  readonly span: Span
  /** First day of the span; undefined for the beginning. */
  readonly since: string | undefined
  readonly by: Period
  readonly groupBy: readonly SummaryGroup[]
  readonly measures: readonly Measure[]
  readonly orderBy: SummaryOrder
  readonly first: number | undefined
  readonly firstPerPeriod: number | undefined
  /** Time zone of the sums' days. */
  readonly timezone: string
  /** Names of the kinds that move points. */
  readonly pointsKinds: readonly string[]
}

/** Most rows of a summary: a year of days by kind and outcome has 5,475; more would delay all other requests. */
export const MAX_ROWS = 10_000

const BY_PERIOD: SummaryOrder = { field: 'PERIOD', direction: 'ASC' }

const LISTS = ['merchants', 'channels', 'reasons', 'customers'] as const satisfies (keyof SummaryLists)[]
const NUMBERS = ['first', 'firstPerPeriod'] as const

const checkRows = (name: string, rows: number): void => {
  if (rows < 0 || rows > MAX_ROWS)
    throw invalidField(name, rows < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_ROWS}`)
}

const checkArgs = (args: SummaryArgs): void => {
  const { postedBy, merchant } = args
  if (postedBy != null) checkReference('postedBy', postedBy)
  if (merchant != null) checkReference('merchant', merchant)
  for (const name of LISTS) if (args[name] != null) checkList(name, args[name])
  for (const name of NUMBERS) if (args[name] != null) checkRows(name, args[name])
}

/**
 * Reads the arguments.
 * @param measures measures that the response shows, beside the sums.
 * @throws ServiceError INVALID_ARGUMENT naming the argument that is wrong.
 */
export const summaryQuery = (
  { timezone }: Pick<Config, 'timezone'>,
  kinds: Kinds,
  { caller }: Pick<GraphContext, 'caller'>,
  args: SummaryArgs,
  measures: readonly Measure[] = [],
): SummaryQuery => {
  checkArgs(args)
  const { from, to, by, groupBy, postedBy, merchant, orderBy, first, firstPerPeriod } = withInstants(args)
  return {
    clientId: visibleClient(caller),
    postedBy: postedBy ?? undefined,
    kinds: args.kinds ?? undefined,
    merchant: merchant == null ? undefined : heldName(merchant),
    merchants: args.merchants?.map(heldName),
    channels: args.channels?.map(heldName),
    reasons: args.reasons ?? undefined,
    customers: args.customers ?? undefined,
    span: spanOf(from, to, timezone),
    since: from ? localDay(from, timezone) : undefined,
    by,
    groupBy: [...new Set(groupBy ?? [])],
    measures,
    orderBy: orderBy ?? BY_PERIOD,
    first: first ?? undefined,
    firstPerPeriod: firstPerPeriod ?? undefined,
    timezone,
    pointsKinds: pointsKinds(kinds),
  }
}

/** Detail of the rows that a query is answered from: sums by day, coarse to fine, or the entries themselves. */
export type Detail = 'total' | 'client' | 'holder' | 'entry'

const OF_ENTRIES: readonly (SummaryGroup | Period | Measure)[] = [
  'PRODUCT',
  'PAYMENT_METHOD',
  'HOUR_OF_DAY',
  'max',
  'p50',
  'p95',
  'settledP50Ms',
  'settledP95Ms',
]
const OF_HOLDERS: readonly (SummaryGroup | Measure)[] = ['CUSTOMER', 'CATEGORY', 'customers']
const OF_CLIENTS: readonly SummaryGroup[] = ['CHANNEL', 'MERCHANT']

/** The coarsest rows that have everything that is asked for. */
export const detailOf = (query: SummaryQuery): Detail => {
  const { by, groupBy, measures, customers, merchant, merchants, channels } = query
  const asked = [by, ...groupBy, ...measures]
  const asks = (names: readonly string[]) => asked.some(name => names.includes(name))
  if (asks(OF_ENTRIES)) return 'entry'
  if (customers || asks(OF_HOLDERS)) return 'holder'
  return merchant !== undefined || merchants || channels || asks(OF_CLIENTS) ? 'client' : 'total'
}
