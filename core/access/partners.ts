/** Partners as other clients may see them: without secrets, limits and quotas. */
import { Prisma, type Statements } from '../data/db.ts'
import { type CountedConnection, createCursors, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { isStorable } from '../values/text.ts'
import type { Role } from './principal.ts'

/** A client that posts transactions. */
export interface Partner {
  readonly id: string
  readonly name: string
  /** Null for a client that only an external issuer knows. */
  readonly role: Role | null
  /** False once the operator has disabled the client. */
  readonly active: boolean
}

export type PartnerPage = CountedConnection<Partner>

export interface PartnerArgs {
  readonly first?: number | null
  readonly after?: string | null
}

/** Columns of `Partner`; a client without a name goes by its id. */
const COLUMNS = Prisma.raw(
  `c.id, coalesce(nullif(c.name, ''), c.id) AS name, c.role, c.disabled_at IS NULL AS active`,
)

/** Cursors over partners, ordered by id; the prefix sets them apart from the cursors of other lists. */
const CURSORS = createCursors<string>('p1:', {
  write: id => id,
  read: id => (isStorable(id) ? id : undefined),
})

/**
 * Reads a page of the partners, ordered by id.
 * @throws ServiceError INVALID_ARGUMENT for a size out of range, or a cursor of another list.
 */
export const listPartners = async (db: Statements, { first, after }: PartnerArgs): Promise<PartnerPage> =>
  readKeysetPage<Partner>(db, {
    columns: COLUMNS,
    from: Prisma.sql`access.client c`,
    where: Prisma.sql`c.role = 'partner'`,
    number: Prisma.raw('c.id'),
    keyset: parsePageArgs({ first, after, orderBy: 'OLDEST_FIRST' }, CURSORS.from),
    cursorOf: ({ id }) => CURSORS.to(id),
  })

/**
 * Reads the clients with these ids, in the order of the ids. A client that is not in the table belongs to an external
 * issuer: it is active, and its id is its name.
 */
export const partnersByIds = async (db: Statements, ids: readonly string[]): Promise<Partner[]> => {
  const rows = await db.$queryRaw<Partner[]>`
    SELECT ${COLUMNS} FROM access.client c WHERE c.id = ANY (${ids}::text[])`
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => byId.get(id) ?? { id, name: id, role: null, active: true })
}
