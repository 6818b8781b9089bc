/**
 * Relay connections over a transaction table, keyset-paged by number: page 10,000 costs what page 1 costs. One
 * statement reads the same slice for many holders, so that a list of lists does not grow the number of statements.
 */

import { Prisma, type PrismaClient } from '../data/db.ts'
import { invalid } from '../errors.ts'
import { fromCursor, toCursor } from './cursor.ts'
import { conditionsOf, type TransactionFilter } from './filter.ts'
import { COLUMNS, type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

/** Whose transactions: an account's, a number's, or (neither) all that the caller may see. */
export type HolderColumn = 'accountNumber' | 'mobileNumber'

export interface ConnectionArgs {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
  readonly orderBy?: 'NEWEST_FIRST' | 'OLDEST_FIRST' | null
  readonly filter?: TransactionFilter | null
}

/** A slice in the order asked for, with what is needed to page on. */
export interface Connection<Row = TransactionRow> {
  readonly edges: { cursor: string; node: Row }[]
  readonly nodes: Row[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

/** The slice as the database reads it: `backward` when it is counted from the end. */
export interface Slice {
  readonly size: number
  readonly after?: bigint
  readonly before?: bigint
  readonly newestFirst: boolean
  readonly backward: boolean
}

const DEFAULT_SIZE = 50
const MAX_SIZE = 200

const checkSize = (name: string, size: number | null | undefined) => {
  if (size != null && (size < 0 || size > MAX_SIZE)) throw invalid(`${name} must be from 0 to ${MAX_SIZE}`)
}

/**
 * Reads `first`/`after`/`last`/`before` (Relay cursor connections specification, §4).
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, both directions at once, or a foreign cursor.
 */
export function sliceOf({ first, after, last, before, orderBy }: ConnectionArgs): Slice {
  checkSize('first', first)
  checkSize('last', last)
  if (first != null && last != null) throw invalid('first and last must not be given together')
  return {
    size: first ?? last ?? DEFAULT_SIZE,
    after: after == null ? undefined : fromCursor('after', after),
    before: before == null ? undefined : fromCursor('before', before),
    newestFirst: orderBy !== 'OLDEST_FIRST',
    backward: last != null,
  }
}

const HOLDER = { accountNumber: Prisma.raw('t.account_number'), mobileNumber: Prisma.raw('t.mobile_number') }

/** Which number orders the slice; each has an index that starts with what the slice is narrowed to. */
type NumberField = 'position' | 'clientPosition'

const NUMBER = { position: Prisma.raw('t.position'), clientPosition: Prisma.raw('t.client_position') }

/** The slice's limits as conditions on a table called `t`. */
export const bounds = ({ after, before, newestFirst }: Slice, field: NumberField): Prisma.Sql => {
  const [low, high] = newestFirst ? [before, after] : [after, before]
  const conditions = [Prisma.sql`TRUE`]
  if (low !== undefined) conditions.push(Prisma.sql`${NUMBER[field]} > ${low}`)
  if (high !== undefined) conditions.push(Prisma.sql`${NUMBER[field]} < ${high}`)
  return Prisma.join(conditions, ' AND ')
}

/** One more than asked for is read: its presence says that there is a further page. */
export const orderAndLimit = ({ newestFirst, backward, size }: Slice, field: NumberField) =>
  Prisma.sql`ORDER BY ${NUMBER[field]} ${Prisma.raw(newestFirst === backward ? 'ASC' : 'DESC')} LIMIT ${size + 1}`

/** The slice from the rows that were read for it, one more than asked for. */
export const toConnection = <Field extends NumberField, Row extends Record<Field, bigint>>(
  slice: Slice,
  read: Row[],
  field: Field,
): Connection<Row> => {
  const more = read.length > slice.size
  const rows = read.slice(0, slice.size)
  if (slice.backward) rows.reverse()
  const edges = rows.map(node => ({ cursor: toCursor(node[field]), node }))
  const pageInfo = {
    hasNextPage: slice.backward ? slice.before !== undefined : more,
    hasPreviousPage: slice.backward ? more : slice.after !== undefined,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  }
  return { edges, nodes: rows, pageInfo }
}

export interface ConnectionQuery {
  readonly kind: TransactionKind
  /** The only client whose transactions may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TransactionFilter
  readonly slice: Slice
}

/** The slice for each holder, in the holders' sequence, by one statement. */
export async function readConnections(
  db: PrismaClient,
  query: ConnectionQuery,
  column: HolderColumn,
  holders: readonly string[],
): Promise<Connection[]> {
  const { kind, slice } = query
  const rows = await db.$queryRaw<(TransactionRow & { holder: string })[]>`
    SELECT asked.holder, slice.* FROM unnest(${holders}::text[]) AS asked (holder) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM ${tableOf(kind)} t
      WHERE ${HOLDER[column]} = asked.holder AND ${conditionsOf(query)} AND ${bounds(slice, 'position')}
      ${orderAndLimit(slice, 'position')}) slice`
  const byHolder = Map.groupBy(rows, row => row.holder)
  return holders.map(holder => toConnection(slice, byHolder.get(holder) ?? [], 'position'))
}

/** A client's own transactions, not narrowed to a holder, are found by the client's own numbers. */
const numberFor = ({ clientId, filter }: ConnectionQuery): NumberField =>
  clientId !== undefined && filter.mobileNumber == null && filter.customerAccountNumber == null
    ? 'clientPosition'
    : 'position'

/** The slice over all transactions that may be seen. */
export async function readConnection(db: PrismaClient, query: ConnectionQuery): Promise<Connection> {
  const { kind, slice } = query
  const field = numberFor(query)
  const rows = await db.$queryRaw<TransactionRow[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE ${conditionsOf(query)} AND ${bounds(slice, field)} ${orderAndLimit(slice, field)}`
  return toConnection(slice, rows, field)
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
