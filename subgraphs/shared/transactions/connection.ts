/** Relay connections over a transaction table: of one account or number, or of all that the caller may see. */

import { Prisma, type Reader } from '../data/db.ts'
import { toCursor } from '../paging/cursor.ts'
import type { Connection, CountedConnection, Keyset, PageArgs } from '../paging/keyset.ts'
import {
  countByOwner,
  countRows,
  type PageQuery,
  readKeysetPage,
  readKeysetPages,
} from '../paging/read-page.ts'
import type { WithMoments } from '../values/moment.ts'
import type { RowColumns, SelectedRow } from './columns.ts'
import { conditionsOf, type TransactionFilter } from './filter.ts'
import { type TransactionKind, tableOf } from './kind.ts'
import { BYTES } from './row-bytes.ts'

/** Whose transactions: an account's, a number's, or (neither) all that the caller may see. */
export type OwnerColumn = 'accountNumber' | 'mobileNumber'

export interface ConnectionArgs extends PageArgs {
  readonly filter?: WithMoments<TransactionFilter> | null
}

export type TransactionConnection = Connection<SelectedRow>

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
  readonly columns: RowColumns
}

/** A total is the same on every page. */
export type CountQuery = Omit<ConnectionQuery, 'keyset' | 'columns'>

const rowsOf = (query: CountQuery) => ({
  from: Prisma.sql`${tableOf(query.kind)} t`,
  where: conditionsOf(query),
})

/** The same numbers in the rows that were read. */
const READ = { position: Prisma.raw('r.position'), clientPosition: Prisma.raw('r."clientPosition"') }

const pageOf = (query: ConnectionQuery, field: NumberField): PageQuery<SelectedRow> => ({
  columns: Prisma.sql`${query.columns.columns}, ${BYTES}`,
  ...rowsOf(query),
  keyset: query.keyset,
  number: NUMBER[field],
  bounded: { number: READ[field], names: query.columns.names },
  cursorOf: row => toCursor(row[field]),
})

/** The page of each owner, in the owners' order, by one statement. */
export const readConnections = (
  db: Reader,
  query: ConnectionQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<TransactionConnection[]> => readKeysetPages(db, pageOf(query, 'position'), OWNER[column], owners)

/** One client's transactions, not narrowed to an owner, are found by the client's own numbers. */
const numberFor = ({ clientId, filter }: ConnectionQuery): NumberField =>
  (clientId ?? filter.clientId) != null && filter.mobileNumber == null && filter.customerAccountNumber == null
    ? 'clientPosition'
    : 'position'

/** `totalCount` over all transactions that may be seen; without a filter the sequence's head is the count. */
const countConnection = async (db: Reader, query: CountQuery): Promise<number> => {
  const { kind, clientId, filter } = query
  if (Object.values(filter).some(value => value != null)) return countRows(db, rowsOf(query))
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT coalesce(max(position), 0) AS count FROM books.book
    WHERE name = ${kind.table} AND client_id = ${clientId ?? ''}`
  return Number(row!.count)
}

/** The page over all transactions that may be seen. */
export const readConnection = (db: Reader, query: ConnectionQuery): Promise<CountedConnection<SelectedRow>> =>
  readKeysetPage(db, pageOf(query, numberFor(query)), () => countConnection(db, query))

/** `totalCount` for each owner, in the owners' order, by one statement. */
export const countConnections = (
  db: Reader,
  query: CountQuery,
  column: OwnerColumn,
  owners: readonly string[],
): Promise<number[]> => countByOwner(db, rowsOf(query), OWNER[column], owners)
