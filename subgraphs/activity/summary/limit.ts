/**
 * Limit of what a summary reads. Sums by day answer most questions at the same cost for every history; the others go through
 * the entries of the span, and the sums tell before how many those are.
 */
import type { Statements } from '#core/data/db.ts'
import { invalid } from '#core/errors/catalogue.ts'
import type { SummaryQuery } from './query.ts'
import { rowsOf, type ScopeOf } from './rows.ts'

/** Most entries that a summary adds up one by one (docs/analyst.md has what that costs). */
const MAX_ADDED = 1_000_000
/** Most of them where they are sorted or told apart as well: for percentiles and different customers. */
const MAX_MEASURED = 500_000

/** The same transactions, without anything that the sums do not know. */
const countable = (query: SummaryQuery): SummaryQuery => ({ ...query, by: 'ALL', groupBy: [], measures: [] })

const countEntries = async (db: Statements, scopeOf: ScopeOf, query: SummaryQuery): Promise<number> => {
  const counted = countable(query)
  const [row] = await db.$queryRaw<{ entries: bigint | null }[]>`
    SELECT sum(d.entries)::bigint AS entries FROM ${rowsOf(scopeOf(counted), counted)}`
  return Number(row?.entries ?? 0)
}

const grouped = (count: number) => count.toLocaleString('en')

/**
 * Refuses a query that would have to read too many entries, before it reads any.
 * @throws ServiceError INVALID_ARGUMENT saying how many there are.
 */
export async function requireReadable(db: Statements, scopeOf: ScopeOf, query: SummaryQuery): Promise<void> {
  const most = query.measures.length > 0 ? MAX_MEASURED : MAX_ADDED
  if (scopeOf(query).detail !== 'entry') return
  const entries = await countEntries(db, scopeOf, query)
  if (entries <= most) return
  throw invalid(
    `The summary would go through ${grouped(entries)} transactions, which is more than ${grouped(most)}: narrow the time, kinds, merchants, customers or the partner, or ask without what sums by day do not have (docs/analyst.md)`,
    { reason: 'TOO_MANY' },
  )
}
