/** How many entries match: from the sums by day where those know it. */
import { Prisma, type Reader } from '#core/data/db.ts'
import { countByOwner, countRows } from '#core/paging/read-page.ts'
import { type OwnedBy, ownershipOf } from '../owners.ts'
import type { TimelineQuery } from './entry.ts'
import { conditionsOf, sumConditionsOf } from './filter.ts'

const ENTRIES = Prisma.sql`activity.entry e`

/** `totalCount` of each owner, in the owners' order, by one statement. */
export const countTimelines = (
  db: Reader,
  { clientId, filter }: Pick<TimelineQuery, 'clientId' | 'filter'>,
  by: OwnedBy,
  owners: readonly string[],
): Promise<number[]> => {
  const ownership = ownershipOf('e', by)
  const sums = sumConditionsOf(clientId, filter)
  if (!sums)
    return countByOwner(db, { from: ENTRIES, where: conditionsOf(clientId, filter) }, ownership, owners)
  const from = Prisma.sql`activity.holder_day e`
  const count = Prisma.sql`sum(e.entries)::bigint`
  return countByOwner(db, { from, where: sums, count }, ownership, owners)
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
