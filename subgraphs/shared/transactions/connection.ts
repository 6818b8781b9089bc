/**
 * Relay connections over a transaction table, keyset-paged by number: page 10,000 costs what page 1 costs. One
 * statement reads the same page for many owners, so that a list of lists does not grow the number of statements.
 */

import { Prisma, type PrismaClient } from '../data/db.ts'
import { toCursor } from '../paging/cursor.ts'
import {
  boundsOf,
  directionOf,
  type Keyset,
  orderAndLimit,
  type PageArgs,
  type Connection as Sliced,
  toConnection,
} from '../paging/keyset.ts'
import { COLUMNS } from './columns.ts'
import { conditionsOf, type TransactionFilter } from './filter.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'
import { BYTES, bytesEach, fitting, PAGE_BYTES } from './page-bytes.ts'

/** Whose transactions: an account's, a number's, or (neither) all that the caller may see. */
export type OwnerColumn = 'accountNumber' | 'mobileNumber'

export interface ConnectionArgs extends PageArgs {
  readonly filter?: TransactionFilter | null
}

export type TransactionConnection = Sliced<TransactionRow>

const OWNER = { accountNumber: Prisma.raw('t.account_number'), mobileNumber: Prisma.raw('t.mobile_number') }

/** Which number is the keyset's; each has an index that starts with what the page is narrowed to. */
type NumberField = 'position' | 'clientPosition'

const NUMBER = { position: Prisma.raw('t.position'), clientPosition: Prisma.raw('t.client_position') }

export interface ConnectionQuery {
  readonly kind: TransactionKind
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TransactionFilter
  readonly keyset: Keyset
}

/** The same numbers in the rows that were read. */
const READ = { position: Prisma.raw('r.position'), clientPosition: Prisma.raw('r."clientPosition"') }

const orderOf = (keyset: Keyset, field: NumberField) => Prisma.sql`${READ[field]} ${directionOf(keyset)}`

/** One more row than the slice holds, in its order, with their bytes. */
const rowsOf = (query: ConnectionQuery, field: NumberField, condition: Prisma.Sql) => Prisma.sql`
  SELECT ${COLUMNS}, ${BYTES} FROM ${tableOf(query.kind)} t
  WHERE ${condition} AND ${conditionsOf(query)} AND ${boundsOf(query.keyset, NUMBER[field])}
  ${orderAndLimit(query.keyset, NUMBER[field])}`

/** The page of each owner, in the owners' order, by one statement. */
export async function readConnections(
  db: PrismaClient,
  query: ConnectionQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<TransactionConnection[]> {
  const { keyset } = query
  const ofHolder = rowsOf(query, 'position', Prisma.sql`${OWNER[column]} = asked.holder`)
  const rows = await db.$queryRaw<(TransactionRow & { holder: string })[]>`
    SELECT asked.holder, slice.* FROM unnest(${owners}::text[]) AS asked (holder) CROSS JOIN LATERAL (
      ${fitting(ofHolder, orderOf(keyset, 'position'), bytesEach(owners.length))}) slice`
  const ofOwner = Map.groupBy(rows, row => row.holder)
  return owners.map(holder => toConnection(keyset, ofOwner.get(holder) ?? [], row => toCursor(row.position)))
}

/** A client's own transactions, not narrowed to an owner, are found by the client's own numbers. */
const numberFor = ({ clientId, filter }: ConnectionQuery): NumberField =>
  clientId !== undefined && filter.mobileNumber == null && filter.customerAccountNumber == null
    ? 'clientPosition'
    : 'position'

/** The page over all transactions that may be seen. */
export async function readConnection(
  db: PrismaClient,
  query: ConnectionQuery,
): Promise<TransactionConnection> {
  const { keyset } = query
  const field = numberFor(query)
  const rows = await db.$queryRaw<TransactionRow[]>(
    fitting(rowsOf(query, field, Prisma.sql`TRUE`), orderOf(keyset, field), PAGE_BYTES),
  )
  return toConnection(keyset, rows, row => toCursor(row[field]))
}

/** `totalCount` for each owner, in the owners' order, by one statement. */
export async function countConnections(
  db: PrismaClient,
  query: Omit<ConnectionQuery, 'slice'>,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<number[]> {
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT ${OWNER[column]} AS holder, count(*) AS count FROM ${tableOf(query.kind)} t
    WHERE ${OWNER[column]} = ANY (${owners}::text[]) AND ${conditionsOf(query)} GROUP BY 1`
  const ofOwner = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return owners.map(holder => ofOwner.get(holder) ?? 0)
}

/** `totalCount` over all transactions that may be seen; without a filter the sequence's head is the count. */
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
