/** How many entries match: from the sums by day where those know it. */
import { Prisma, type Reader } from '../../shared/data/db.ts'
import { countByOwner, countRows } from '../../shared/paging/read-page.ts'
import { columnOf, type OwnerColumn } from '../owners.ts'
import type { TimelineQuery } from './entry.ts'
import { conditionsOf, sumConditionsOf } from './filter.ts'

const ENTRIES = Prisma.sql`activity.entry e`

/** `totalCount` of each owner, in the owners' order, by one statement. */
export const countTimelines = (
  db: Reader,
  { clientId, filter }: Pick<TimelineQuery, 'clientId' | 'filter'>,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<number[]> => {
  const owner = columnOf('e', column)
  const sums = sumConditionsOf(clientId, filter)
  if (!sums) return countByOwner(db, { from: ENTRIES, where: conditionsOf(clientId, filter) }, owner, owners)
  const from = Prisma.sql`activity.holder_day e`
  return countByOwner(db, { from, where: sums }, owner, owners, Prisma.sql`sum(e.entries)::bigint`)
}

/** `totalCount` over everything that may be seen. Everyone's sums do not tell merchants apart, those of clients do. */
export const countTimeline = async (
  db: Reader,
  { clientId, filter }: Pick<TimelineQuery, 'clientId' | 'filter'>,
): Promise<number> => {
  const sums = sumConditionsOf(clientId, filter)
  if (!sums) return countRows(db, { from: ENTRIES, where: conditionsOf(clientId, filter) })
  const from = filter.merchant == null ? Prisma.sql`activity.total_day e` : Prisma.sql`activity.client_day e`
  const [row] = await db.$queryRaw<{ count: bigint | null }[]>`
    SELECT sum(e.entries)::bigint AS count FROM ${from} WHERE ${sums}`
  return Number(row?.count ?? 0)
}
