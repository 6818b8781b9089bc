/** The kind of a transaction that is known by its id alone. */
import { type VisibleRows, visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Reader } from '#core/data/db.ts'
import { tableOf } from '#core/transactions/kind.ts'
import type { Kinds } from './kinds.ts'

/** The name of the kind of the transaction with this id; undefined when there is none among those that may be seen. */
export async function kindOf(
  db: Reader,
  kinds: Kinds,
  id: string,
  visible: VisibleRows,
): Promise<string | undefined> {
  const selects = kinds.map(
    kind => Prisma.sql`
      SELECT ${kind.name}::text AS kind FROM ${tableOf(kind)} t WHERE t.id = ${id}::uuid AND ${visibleTo(visible, 't')}`,
  )
  const [row] = await db.$queryRaw<{ kind: string }[]>`${Prisma.join(selects, ' UNION ALL ')}`
  return row?.kind
}
