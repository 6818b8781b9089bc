/** Partners as other clients may see them: without secrets, limits and quotas. */
import { Prisma, type Reader } from '../data/db.ts'
import { type CountedConnection, createCursors, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { isStorable } from '../values/text.ts'
import type { Role } from './principal.ts'

/** A client that posts transactions; `role` is null for one that only an external issuer knows. */
export interface Partner {
  readonly id: string
  readonly name: string
  readonly role: Role | null
  readonly active: boolean
}

export type PartnerPage = CountedConnection<Partner>

export interface PartnerArgs {
  readonly first?: number | null
  readonly after?: string | null
}

const COLUMNS = Prisma.raw(
  `c.id, coalesce(nullif(c.name, ''), c.id) AS name, c.role, c.disabled_at IS NULL AS active`,
)

/** Cursors over partners, which are ordered by their ids. */
const CURSORS = createCursors<string>('p1:', {
  write: id => id,
  read: id => (isStorable(id) ? id : undefined),
})

/**
 * Reads a page of the partners, by their ids.
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, or a foreign cursor.
 */
export const listPartners = async (db: Reader, { first, after }: PartnerArgs): Promise<PartnerPage> =>
  readKeysetPage<Partner>(db, {
    columns: COLUMNS,
    from: Prisma.sql`access.client c`,
    where: Prisma.sql`c.role = 'partner'`,
    number: Prisma.raw('c.id'),
    keyset: parsePageArgs({ first, after, orderBy: 'OLDEST_FIRST' }, CURSORS.from),
    cursorOf: ({ id }) => CURSORS.to(id),
  })

/** Reads the clients with these ids, in their order. */
export const partnersByIds = async (db: Reader, ids: readonly string[]): Promise<Partner[]> => {
  const rows = await db.$queryRaw<Partner[]>`
    SELECT ${COLUMNS} FROM access.client c WHERE c.id = ANY (${ids}::text[])`
  const known = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => known.get(id) ?? { id, name: id, role: null, active: true })
}
