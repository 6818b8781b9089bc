/**
 * Limits of a summary: one that would have to read too many rows is refused before it reads any. The most rows of each kind of question
 * take less than 2 s of one processor (docs/analyst.md).
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalid } from '#core/errors/catalogue.ts'
import type { Period, SummaryQuery } from './query.ts'
import { rowsOf, type ScopeOf } from './rows.ts'

/** Most entries that a summary adds up one by one. */
const MAX_ADDED = 800_000
/** Most of them by customer in several periods: nearly each entry is a row of its own. */
const MAX_OF_CUSTOMERS = 300_000
/** Most of them by category in several periods. */
const MAX_OF_CATEGORIES = 700_000
/** Most of them where they are sorted or told apart as well: for percentiles and different customers. */
const MAX_MEASURED = 300_000

/** Most sums of a day, partner, merchant and so on. */
const MAX_SUMS = 2_000_000
/** Most of them by merchant in several periods; and in short ones, where there are more rows to put in order. */
const MAX_OF_MERCHANTS = 1_500_000
const MAX_OF_MERCHANTS_IN_SHORT = 500_000
const SHORT: readonly Period[] = ['DAY', 'WEEK']

/** Bytes of a sum in its table, with the room that is left for updates: for a table that was never analyzed. */
const BYTES_OF_SUM = 190

/** The same transactions, without anything that the coarsest sums do not know. */
const countable = (query: SummaryQuery): SummaryQuery => ({ ...query, by: 'ALL', groupBy: [], measures: [] })

const sumOfEntries = (scopeOf: ScopeOf, query: SummaryQuery) =>
  Prisma.sql`SELECT coalesce(sum(d.entries), 0)::float8 FROM ${rowsOf(scopeOf(query), query)}`

/**
 * All sums by partner, merchant and so on, by the statistics of their table. With Citus it stands on another node, so that nothing is
 * known of it here: there they are counted.
 */
const countSums = async (db: Statements): Promise<number> => {
  const [known] = await db.$queryRaw<[{ sums: number }]>`
    SELECT CASE WHEN t.reltuples > 0 THEN t.reltuples ELSE pg_relation_size(t.oid) / ${BYTES_OF_SUM}::float8 END::float8 AS sums
    FROM pg_class t WHERE t.oid = 'activity.client_day'::regclass`
  if (known.sums > 0) return known.sums
  const [row] = await db.$queryRaw<
    [{ sums: number }]
  >`SELECT count(*)::float8 AS sums FROM activity.client_day`
  return row.sums
}

/**
 * Estimates how many of these sums a span has, where all are more than so many: as large a share of them as of the transactions.
 * Merchants that are named have few, by an index of their own.
 */
const estimateSums = async (
  db: Statements,
  scopeOf: ScopeOf,
  query: SummaryQuery,
  most: number,
): Promise<number> => {
  if (query.merchant !== undefined || query.merchants) return 0
  const sums = await countSums(db)
  if (sums <= most) return sums
  const asked = { ...countable(query), channels: undefined }
  const [row] = await db.$queryRaw<{ entries: number; all: number }[]>`
    SELECT (${sumOfEntries(scopeOf, asked)}) AS entries,
      (SELECT coalesce(sum(a.entries), 0)::float8 FROM activity.total_day a) AS all`
  const { entries, all } = row!
  return all === 0 ? 0 : sums * Math.min(1, entries / all)
}

const countBySums = async (db: Statements, scopeOf: ScopeOf, query: SummaryQuery): Promise<number> => {
  const [row] = await db.$queryRaw<{ entries: number }[]>`
    SELECT (${sumOfEntries(scopeOf, countable(query))}) AS entries`
  return row!.entries
}

/** Counts the entries; those of all channels where that says enough, or the sums of channels are themselves too many. */
const countEntries = async (
  db: Statements,
  scopeOf: ScopeOf,
  query: SummaryQuery,
  most: number,
): Promise<number> => {
  const ofAllChannels = await countBySums(db, scopeOf, { ...query, channels: undefined })
  if (!query.channels || ofAllChannels <= most) return ofAllChannels
  const sums = await estimateSums(db, scopeOf, query, MAX_SUMS)
  return sums > MAX_SUMS ? ofAllChannels : countBySums(db, scopeOf, query)
}

const mostEntries = ({ by, groupBy, measures }: SummaryQuery): number => {
  if (measures.length > 0) return MAX_MEASURED
  if (by === 'ALL') return MAX_ADDED
  if (groupBy.includes('CUSTOMER')) return MAX_OF_CUSTOMERS
  return groupBy.includes('CATEGORY') ? MAX_OF_CATEGORIES : MAX_ADDED
}

const mostSums = ({ by, groupBy }: SummaryQuery): number => {
  if (by === 'ALL' || !groupBy.includes('MERCHANT')) return MAX_SUMS
  return SHORT.includes(by) ? MAX_OF_MERCHANTS_IN_SHORT : MAX_OF_MERCHANTS
}

const withCommas = (count: number) => count.toLocaleString('en')

const tooMany = (message: string) => invalid(`${message} (docs/analyst.md)`, { reason: 'TOO_MANY' })

/**
 * Refuses a query that would have to read too many entries or sums, before it reads any.
 * @throws ServiceError INVALID_ARGUMENT saying how many there are, and what to ask in its place.
 */
export async function requireReadable(db: Statements, scopeOf: ScopeOf, query: SummaryQuery): Promise<void> {
  const { detail } = scopeOf(query)
  if (detail === 'entry') {
    const most = mostEntries(query)
    const entries = await countEntries(db, scopeOf, query, most)
    if (entries > most)
      throw tooMany(
        `The summary would go through ${withCommas(entries)} transactions, which is more than ${withCommas(most)}: narrow the time, kinds, merchants, customers or the partner, or ask without what sums by day do not have`,
      )
  } else if (detail === 'client') {
    const most = mostSums(query)
    const sums = await estimateSums(db, scopeOf, query, most)
    if (sums > most)
      throw tooMany(
        `The summary would add up about ${withCommas(Number(sums.toPrecision(2)))} sums of merchants and channels, which is more than ${withCommas(most)}: narrow the time or the partner, name merchants, ask for longer periods, or ask without MERCHANT and CHANNEL`,
      )
  }
}
