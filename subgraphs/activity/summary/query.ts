/**
 * Query of a summary, checked so that the database can execute it, the span of days that it covers, and the parts of
 * days at both ends.
 */

import { visibleClient, visibleTo } from '#core/access/visibility.ts'
import type { Config } from '#core/config/config.ts'
import { Prisma } from '#core/data/db.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { disjoint } from '#core/paging/read-page.ts'
import { checkReference } from '#core/values/text.ts'
import { localDay, type Moment, startOfDay, startOfNextDay, withInstants } from '#core/values/time.ts'
import { type EntryOwner, type Kinds, ownershipOf, pointsKinds } from '../kinds.ts'
import { sortKeyAt } from '../timeline/entry.ts'
import { heldName } from '../timeline/filter.ts'

/** Time from an instant up to another, which is excluded. */
interface Part {
  readonly from: Date
  readonly until: Date
}

export interface Span {
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
  /** Only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  /** Client that posted the transactions; undefined for all. */
  readonly postedBy: string | undefined
  readonly kinds: readonly string[] | undefined
  readonly merchant: string | undefined
  readonly span: Span
  /** First day of the span; undefined for the beginning. */
  readonly since: string | undefined
  readonly by: Period
  readonly groupBy: readonly SummaryGroup[]
  readonly orderBy: SummaryOrder
  readonly first: number | undefined
  /** Time zone of the sums' days. */
  readonly timezone: string
  /** Names of the kinds that move points. */
  readonly pointsKinds: readonly string[]
}

/** Most rows of a summary: a year of days by kind and outcome has 5,475; more would delay all other requests. */
export const MAX_ROWS = 10_000

const BY_PERIOD: SummaryOrder = { field: 'PERIOD', direction: 'ASC' }

const checkArgs = ({ postedBy, merchant, first }: SummaryArgs): void => {
  if (postedBy != null) checkReference('postedBy', postedBy)
  if (merchant != null) checkReference('merchant', merchant)
  if (first != null && (first < 0 || first > MAX_ROWS))
    throw invalidField('first', first < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_ROWS}`)
}

/** Reads the arguments. @throws ServiceError INVALID_ARGUMENT naming the argument that is wrong. */
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

/** Condition of the client's visibility and of the requested partner; both must hold. */
const isMine = (alias: string, { clientId, postedBy }: SummaryQuery) =>
  Prisma.sql`${visibleTo({ clientId }, alias)} AND ${visibleTo({ clientId: postedBy }, alias)}`

const isWithin = (alias: string, { firstDay, lastDay }: Span) =>
  Prisma.sql`${Prisma.raw(alias)}.day BETWEEN ${firstDay}::date AND ${lastDay}::date`

/** Condition of the requested kinds and merchant, for sums and entries alike. */
const matchesRequest = (alias: string, { kinds, merchant }: SummaryQuery) => {
  const table = Prisma.raw(alias)
  return Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(kinds === undefined ? [] : [Prisma.sql`${table}.kind = ANY (${kinds}::text[])`]),
      ...(merchant === undefined ? [] : [Prisma.sql`${table}.merchant = ${merchant}`]),
    ],
    ' AND ',
  )
}

/** Rows of the requested owners, as items of `FROM` with the beginning of their conditions. */
export interface Scope {
  /** Owner of a row of this alias, where several are requested. */
  readonly holder: (alias: string) => Prisma.Sql
  /** Sums, called `s`. */
  readonly sums: Prisma.Sql
  /** Entries, called `e`. */
  readonly entries: Prisma.Sql
}

/** Rows of the owners in a table, each with its owner as `holder`. */
const ownedRows = (table: string, alias: string, by: EntryOwner, owners: readonly string[]): Prisma.Sql => {
  const ownership = ownershipOf('t', by)
  const requested = ownership.requested(Prisma.sql`(SELECT unnest(${owners}::text[]) AS key)`)
  const ways = disjoint(ownership).map(
    owned => Prisma.sql`
    SELECT requested.key AS holder, t.* FROM ${requested} requested JOIN ${Prisma.raw(`activity.${table}`)} t ON ${owned}`,
  )
  return Prisma.sql`(${Prisma.join(ways, ' UNION ALL ')}) ${Prisma.raw(alias)} WHERE TRUE`
}

export const ownerScope = (by: EntryOwner, owners: readonly string[]): Scope => ({
  holder: alias => Prisma.raw(`${alias}.holder`),
  sums: ownedRows('holder_day', 's', by, owners),
  entries: ownedRows('entry', 'e', by, owners),
})

/**
 * Sums in detail. Those of all clients are read client by client, as the index begins with the client; merchants have
 * an index of their own.
 */
const detailedSums = (query: SummaryQuery): Prisma.Sql => {
  if (query.merchant !== undefined) return Prisma.sql`activity.client_day s WHERE TRUE`
  return Prisma.sql`activity.client_day s WHERE s.client_id IN (SELECT DISTINCT c.client_id FROM activity.total_day c
    WHERE ${isWithin('c', query.span)} AND ${isMine('c', query)})`
}

const isInDetail = ({ groupBy, merchant }: SummaryQuery) =>
  merchant !== undefined || groupBy.includes('CHANNEL') || groupBy.includes('MERCHANT')

export const everyoneScope = (query: SummaryQuery): Scope => ({
  holder: () => Prisma.sql`''`,
  sums: isInDetail(query)
    ? detailedSums(query)
    : Prisma.sql`(SELECT *, '' AS channel, '' AS merchant FROM activity.total_day) s WHERE TRUE`,
  entries: Prisma.sql`activity.entry e WHERE TRUE`,
})

const wholeDays = ({ sums, holder }: Scope, query: SummaryQuery) => Prisma.sql`
  SELECT ${holder('s')} AS holder, s.day, s.client_id, s.kind, s.outcome, s.channel, s.merchant, s.reason, s.currency,
    s.entries, s.amount, s.points
  FROM ${sums} AND ${isWithin('s', query.span)} AND ${isMine('s', query)} AND ${matchesRequest('s', query)}`

const partsOfDays = ({ entries, holder }: Scope, query: SummaryQuery) =>
  query.span.parts.map(
    ({ from, until }) => Prisma.sql`
    SELECT ${holder('e')} AS holder, (e.occurred_at AT TIME ZONE ${query.timezone})::date, e.client_id, e.kind, e.outcome,
      e.channel, e.merchant, e.reason, coalesce(e.currency, ''), 1, coalesce(e.amount, 0), coalesce(e.points, 0)
    FROM ${entries} AND ${isMine('e', query)} AND ${matchesRequest('e', query)}
      AND e.sort >= ${sortKeyAt(from)}::bigint AND e.sort < ${sortKeyAt(until)}::bigint`,
  )

/** Whole days, and the parts of days at the ends of the span. */
export const daysOf = (scope: Scope, query: SummaryQuery): Prisma.Sql =>
  Prisma.join([wholeDays(scope, query), ...partsOfDays(scope, query)], ' UNION ALL ')
