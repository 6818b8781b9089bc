/**
 * Totals of the timeline: by the sums of days wherever they know what is asked for, at a cost that hardly grows with the
 * history; otherwise one by one, up to a limit.
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalid } from '#core/errors/catalogue.ts'
import { countByOwner } from '#core/paging/read-page.ts'
import { type EntryOwner, ownershipOf } from '../kinds.ts'
import { spanOf } from '../summary/query.ts'
import { sumConditionsOf, timelineConditions } from './conditions.ts'
import type { TimelineFilter, TimelineQuery } from './filter.ts'

const ENTRIES = Prisma.sql`activity.entry e`

/** Most entries that are counted one by one (docs/analyst.md, "What they cost"). */
const MAX_COUNTED = 500_000

/** Client that may see the entries, and the filter. */
type Counted = Pick<TimelineQuery, 'clientId' | 'filter'>

/** Counts the entries of each owner, in the owners' order, by one statement. */
export const countTimelines = (
  db: Statements,
  { clientId, filter }: Counted,
  by: EntryOwner,
  owners: readonly string[],
): Promise<number[]> => {
  const ownership = ownershipOf('e', by)
  const { from: start, to: end } = filter
  const sums = (start ?? end) == null ? sumConditionsOf(clientId, filter) : undefined
  if (!sums)
    return countByOwner(db, { from: ENTRIES, where: timelineConditions(clientId, filter) }, ownership, owners)
  const from = Prisma.sql`activity.holder_day e`
  const count = Prisma.sql`sum(e.entries)::bigint`
  return countByOwner(db, { from, where: sums, count }, ownership, owners)
}

/** Sums that distinguish everything that a filter narrows to. */
const sumsFor = ({ customers, merchant, merchants, channels }: TimelineFilter): Prisma.Sql => {
  if (customers) return Prisma.sql`activity.holder_day e`
  return (merchant ?? merchants ?? channels) == null
    ? Prisma.sql`activity.total_day e`
    : Prisma.sql`activity.client_day e`
}

/** Number of entries, as a subquery that does not count further than to `most` and one. */
const numberOf = ({ clientId, filter }: Counted, most: number) => Prisma.sql`(SELECT count(*) FROM (
  SELECT 1 FROM ${ENTRIES} WHERE ${timelineConditions(clientId, filter)} LIMIT ${most + 1}) found)`

const tooMany = (most: number) =>
  invalid(
    `More than ${most.toLocaleString('en')} transactions match, and no sum knows how many: leave totalCount out, narrow the time, or ask without amounts, texts and correlators (docs/analyst.md)`,
    { reason: 'TOO_MANY' },
  )

/** Counts entries one by one. @throws ServiceError INVALID_ARGUMENT where there are too many of them. */
const countEach = async (db: Statements, query: Counted, most: number): Promise<number> => {
  const [row] = await db.$queryRaw<[{ count: bigint }]>`SELECT ${numberOf(query, most)} AS count`
  if (row.count <= most) return Number(row.count)
  throw tooMany(most)
}

/** Days of the sums are those of the time zone in which they were made, which a new setting does not change. */
const zoneOfSums = async (db: Statements): Promise<string | undefined> => {
  const [row] = await db.$queryRaw<{ timezone: string }[]>`
    SELECT timezone FROM activity.progress WHERE name = 'event'`
  return row?.timezone || undefined
}

/** Counts whole days by their sums, and one by one what stands in the parts of days at both ends of the span. */
const countSpan = async (db: Statements, { clientId, filter }: Counted, most: number): Promise<number> => {
  const { from, to, ...others } = filter
  const zone = await zoneOfSums(db)
  if (zone === undefined) return countEach(db, { clientId, filter }, most)
  const { firstDay, lastDay, parts } = spanOf(from, to, zone)
  const days = Prisma.sql`
    (SELECT coalesce(sum(e.entries), 0)::bigint FROM ${sumsFor(filter)}
    WHERE ${sumConditionsOf(clientId, others)!} AND e.day BETWEEN ${firstDay}::date AND ${lastDay}::date)`
  const ends = parts.map(part => {
    const within = { from: part.from, to: new Date(part.until.getTime() - 1) }
    return numberOf({ clientId, filter: { ...others, ...within } }, most)
  })
  const [row] = await db.$queryRaw<[{ days: bigint; ends: bigint[] }]>`
    SELECT ${days} AS days, ARRAY[${Prisma.join([Prisma.sql`0::bigint`, ...ends])}] AS ends`
  if (row.ends.some(count => count > most)) throw tooMany(most)
  return Number(row.ends.reduce((sum, count) => sum + count, row.days))
}

/**
 * Counts all entries that may be seen.
 * @param most limit of what is counted one by one.
 * @throws ServiceError INVALID_ARGUMENT where there are more of them than that.
 */
export const countTimeline = async (
  db: Statements,
  { clientId, filter }: Counted,
  most = MAX_COUNTED,
): Promise<number> => {
  const { from, to, ...others } = filter
  const sums = sumConditionsOf(clientId, others)
  if (!sums) return countEach(db, { clientId, filter }, most)
  if ((from ?? to) != null) return countSpan(db, { clientId, filter }, most)
  const [row] = await db.$queryRaw<{ count: bigint | null }[]>`
    SELECT sum(e.entries)::bigint AS count FROM ${sumsFor(filter)} WHERE ${sums}`
  return Number(row?.count ?? 0)
}
