/**
 * A page of a REST list that is narrowed to one number, for portals and analysts that are bound to it. A number has
 * few transactions, and no numbers of its own for them: they are counted, unlike those of a client (`page.ts`).
 */
import { Prisma, type Reader } from '../data/db.ts'
import { fitting, PAGE_BYTES } from '../paging/page-bytes.ts'
import { SHOWN, type ShownRow } from './columns.ts'
import { conditionsOf } from './filter.ts'
import { type TransactionKind, tableOf } from './kind.ts'
import type { ListQuery } from './list-query.ts'
import type { Page } from './page.ts'
import { BYTES } from './row-bytes.ts'

/** The filter of the query; its end is the first instant that no longer counts. */
const filterOf = (query: ListQuery) => {
  if ('clientCorrelatorId' in query) return { clientCorrelatorId: query.clientCorrelatorId }
  const { from, to } = query
  return { from, to: to && new Date(to.getTime() - 1) }
}

const rowsOf = (
  kind: TransactionKind,
  where: Prisma.Sql,
  start: number,
  perPage: number | null,
) => Prisma.sql`
  SELECT ${SHOWN.columns}, t.position, ${BYTES} FROM ${tableOf(kind)} t WHERE ${where}
  ORDER BY t.position OFFSET ${start}::bigint LIMIT ${perPage}::bigint`

/** Reads one page of what concerns the number (digits with country code). */
export async function readNumberPage<Body>(
  db: Reader,
  kind: TransactionKind,
  mobileNumber: string,
  query: ListQuery,
): Promise<Page<Body>> {
  if ('clientCorrelatorId' in query && query.clientCorrelatorId.includes('\0'))
    return { rows: [], total: 0, lastKey: 0 }
  const { start, perPage } = 'start' in query ? query : { start: 0, perPage: null }
  const where = conditionsOf({ kind, clientId: undefined, filter: { mobileNumber, ...filterOf(query) } })
  const [[counted], rows] = await Promise.all([
    db.$queryRaw<{ total: bigint }[]>`SELECT count(*) AS total FROM ${tableOf(kind)} t WHERE ${where}`,
    db.$queryRaw<ShownRow<Body>[]>(
      fitting(rowsOf(kind, where, start, perPage), SHOWN.names, Prisma.sql`r.position`, PAGE_BYTES),
    ),
  ])
  return { rows, total: Number(counted!.total), lastKey: start + rows.length }
}
