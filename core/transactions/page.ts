/**
 * A page of a REST list by index. Entries are numbered densely in the order of creation, so the n-th of a list is
 * the entry numbered n, the n-th since a day is that day's first number plus n, and totals are differences.
 */
import { visibleTo } from '../access/visible-to.ts'
import { Prisma, type Reader } from '../data/db.ts'
import { fitting, PAGE_BYTES } from '../paging/page-bytes.ts'
import { SHOWN, type ShownRow } from './columns.ts'
import { type TransactionKind, tableOf } from './kind.ts'
import type { ListQuery } from './list-query.ts'
import { BYTES } from './row-bytes.ts'

export interface Page<Body = unknown> {
  readonly rows: ShownRow<Body>[]
  /** `X-Total-Count`: all that match. */
  readonly total: number
  /** `Content-Last-Key`: pass it as `seek` for the next page. */
  readonly lastKey: number
}

/** Whose list: one client's entries have numbers of their own; everyone's have the sequence's. */
interface Scope {
  readonly clientId: string
  readonly number: Prisma.Sql
  readonly mine: Prisma.Sql
}

const scopeOf = (clientId: string | undefined): Scope => {
  const mine = visibleTo({ clientId }, 't')
  return clientId === undefined
    ? { clientId: '', number: Prisma.sql`position`, mine }
    : { clientId, number: Prisma.sql`client_position`, mine }
}

const byCorrelator = async <Body>(db: Reader, kind: TransactionKind, { mine }: Scope, correlator: string) => {
  const rows = await db.$queryRaw<ShownRow<Body>[]>`
    SELECT ${SHOWN.columns} FROM ${tableOf(kind)} t
    WHERE ${mine} AND client_correlator_id = ${correlator} ORDER BY position`
  return { rows, total: rows.length, lastKey: rows.length }
}

const endOfBook = (kind: TransactionKind, { clientId }: Scope) => Prisma.sql`
  coalesce((SELECT position FROM books.book WHERE name = ${kind.table} AND client_id = ${clientId}), 0)`

/** The number of the last entry created before an instant. */
const lastBefore = (kind: TransactionKind, { number, mine }: Scope, instant: Date) => Prisma.sql`
  coalesce((SELECT ${number} FROM ${tableOf(kind)} t WHERE ${mine} AND created_at < ${instant}::timestamptz
    ORDER BY created_at DESC, ${number} DESC LIMIT 1), 0)`

type Bounded<Body> = ShownRow<Body> & { first: bigint; last: bigint }

/** The rows after the bounds' first, as many as are asked for. */
const rowsOf = (kind: TransactionKind, { mine, number }: Scope, start: number, perPage: number) => Prisma.sql`
  SELECT ${SHOWN.columns}, t.${number} AS number, ${BYTES} FROM ${tableOf(kind)} t
  WHERE ${mine} AND t.${number} > bounds.first + ${start} AND t.${number} <= bounds.last
  ORDER BY t.${number} LIMIT ${perPage}`

/**
 * Reads one page; it ends early where its rows would be more than `PAGE_BYTES`.
 * @param clientId whose list it is; undefined for everyone's.
 */
export async function readPage<Body>(
  db: Reader,
  kind: TransactionKind,
  clientId: string | undefined,
  query: ListQuery,
): Promise<Page<Body>> {
  const scope = scopeOf(clientId)
  if ('clientCorrelatorId' in query) return byCorrelator(db, kind, scope, query.clientCorrelatorId)
  const { start, perPage, from, to } = query
  const rows = await db.$queryRaw<(Bounded<Body> | { id: null; first: bigint; last: bigint })[]>`
    WITH bounds AS MATERIALIZED (
      SELECT ${from ? lastBefore(kind, scope, from) : Prisma.sql`0::bigint`} AS first,
        ${to ? lastBefore(kind, scope, to) : endOfBook(kind, scope)} AS last)
    SELECT bounds.first, bounds.last, page.* FROM bounds LEFT JOIN LATERAL (
      ${fitting(rowsOf(kind, scope, start, perPage), SHOWN.names, Prisma.sql`r.number`, PAGE_BYTES)}) page ON TRUE`
  const total = Math.max(0, Number(rows[0]!.last - rows[0]!.first))
  const found = rows.filter((row): row is Bounded<Body> => row.id !== null)
  return { rows: found, total, lastKey: start + found.length }
}
