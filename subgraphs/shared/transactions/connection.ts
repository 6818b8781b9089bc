/**
 * Relay connections over a transaction table, keyset-paged by number: page 10,000 costs what page 1 costs. One
 * statement reads the same slice for many holders, so that a list of lists does not grow the number of statements.
 */

import { Prisma, type PrismaClient } from '../data/db.ts'
import { toCursor } from './cursor.ts'
import { conditionsOf, type TransactionFilter } from './filter.ts'
import { COLUMNS, type TransactionKind, type TransactionRow, tableOf } from './kind.ts'
import { BYTES, bytesEach, fitting, PAGE_BYTES } from './page-bytes.ts'
import {
  boundsOf,
  directionOf,
  orderAndLimit,
  type Slice,
  type SliceArgs,
  type Connection as Sliced,
  toConnection,
} from './slice.ts'

/** Whose transactions: an account's, a number's, or (neither) all that the caller may see. */
export type HolderColumn = 'accountNumber' | 'mobileNumber'

export interface ConnectionArgs extends SliceArgs {
  readonly filter?: TransactionFilter | null
}

export type Connection = Sliced<TransactionRow>

const HOLDER = { accountNumber: Prisma.raw('t.account_number'), mobileNumber: Prisma.raw('t.mobile_number') }

/** Which number orders the slice; each has an index that starts with what the slice is narrowed to. */
type NumberField = 'position' | 'clientPosition'

const NUMBER = { position: Prisma.raw('t.position'), clientPosition: Prisma.raw('t.client_position') }

export interface ConnectionQuery {
  readonly kind: TransactionKind
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TransactionFilter
  readonly slice: Slice
}

/** The same numbers in the rows that were read. */
const READ = { position: Prisma.raw('r.position'), clientPosition: Prisma.raw('r."clientPosition"') }

const orderOf = (slice: Slice, field: NumberField) => Prisma.sql`${READ[field]} ${directionOf(slice)}`

/** One more row than the slice holds, in its order, with their bytes. */
const rowsOf = (query: ConnectionQuery, field: NumberField, condition: Prisma.Sql) => Prisma.sql`
  SELECT ${COLUMNS}, ${BYTES} FROM ${tableOf(query.kind)} t
  WHERE ${condition} AND ${conditionsOf(query)} AND ${boundsOf(query.slice, NUMBER[field])}
  ${orderAndLimit(query.slice, NUMBER[field])}`

/** The slice for each holder, in the holders' sequence, by one statement. */
export async function readConnections(
  db: PrismaClient,
  query: ConnectionQuery,
  column: HolderColumn,
  holders: readonly string[],
): Promise<Connection[]> {
  const { slice } = query
  const ofHolder = rowsOf(query, 'position', Prisma.sql`${HOLDER[column]} = asked.holder`)
  const rows = await db.$queryRaw<(TransactionRow & { holder: string })[]>`
    SELECT asked.holder, slice.* FROM unnest(${holders}::text[]) AS asked (holder) CROSS JOIN LATERAL (
      ${fitting(ofHolder, orderOf(slice, 'position'), bytesEach(holders.length))}) slice`
  const byHolder = Map.groupBy(rows, row => row.holder)
  return holders.map(holder => toConnection(slice, byHolder.get(holder) ?? [], row => toCursor(row.position)))
}

/** A client's own transactions, not narrowed to a holder, are found by the client's own numbers. */
const numberFor = ({ clientId, filter }: ConnectionQuery): NumberField =>
  clientId !== undefined && filter.mobileNumber == null && filter.customerAccountNumber == null
    ? 'clientPosition'
    : 'position'

/** The slice over all transactions that may be seen. */
export async function readConnection(db: PrismaClient, query: ConnectionQuery): Promise<Connection> {
  const { slice } = query
  const field = numberFor(query)
  const rows = await db.$queryRaw<TransactionRow[]>(
    fitting(rowsOf(query, field, Prisma.sql`TRUE`), orderOf(slice, field), PAGE_BYTES),
  )
  return toConnection(slice, rows, row => toCursor(row[field]))
}

/** `totalCount` for each holder, in the holders' sequence, by one statement. */
export async function countConnections(
  db: PrismaClient,
  query: Omit<ConnectionQuery, 'slice'>,
  column: HolderColumn,
  holders: readonly string[],
): Promise<number[]> {
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT ${HOLDER[column]} AS holder, count(*) AS count FROM ${tableOf(query.kind)} t
    WHERE ${HOLDER[column]} = ANY (${holders}::text[]) AND ${conditionsOf(query)} GROUP BY 1`
  const byHolder = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return holders.map(holder => byHolder.get(holder) ?? 0)
}

/** `totalCount` over all transactions that may be seen; without a filter the book knows it. */
export async function countConnection(
  db: PrismaClient,
  query: Omit<ConnectionQuery, 'slice'>,
): Promise<number> {
  const { kind, clientId, filter } = query
  const unfiltered = Object.values(filter).every(value => value == null)
  const [row] = unfiltered
    ? await db.$queryRaw<{ count: bigint }[]>`
        SELECT coalesce(max(position), 0) AS count FROM books.book
        WHERE name = ${kind.table} AND client_id = ${clientId ?? ''}`
    : await db.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) AS count FROM ${tableOf(kind)} t WHERE ${conditionsOf(query)}`
  return Number(row!.count)
}
