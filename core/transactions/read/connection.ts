/** Relay connections over a transaction table: of one account or number, or of all that the caller may see. */

import { visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { bookOf } from '#core/data/gapless-sequence.ts'
import type { Connection, CountedConnection, Keyset, PageArgs } from '#core/paging/keyset.ts'
import {
  countByOwner,
  countRows,
  type OwnedPageQuery,
  type Ownership,
  ownedByColumn,
  ownedByLine,
  readKeysetPage,
  readKeysetPages,
} from '#core/paging/read-page.ts'
import { checkReference } from '#core/values/text.ts'
import { type WithMoments, withinCalendar } from '#core/values/time.ts'
import { toCursor } from '../../paging/keyset.ts'
import { BYTES, type RowColumns, type SelectedRow } from '../columns.ts'
import { type Outcome, statusesOf, type TransactionKind, tableOf } from '../kind.ts'

/** The owner of transactions: an account, a number, or a line, which is a number with its account (`paging/read-page.ts`). */
export type OwnedBy = 'accountNumber' | 'mobileNumber' | 'line'

export interface ConnectionArgs extends PageArgs {
  readonly filter?: WithMoments<TransactionFilter> | null
}

export type TransactionConnection = Connection<SelectedRow>

const COLUMN = { accountNumber: Prisma.raw('t.account_number'), mobileNumber: Prisma.raw('t.mobile_number') }

const OWNERSHIP: Readonly<Record<OwnedBy, Ownership>> = {
  accountNumber: ownedByColumn(COLUMN.accountNumber),
  mobileNumber: ownedByColumn(COLUMN.mobileNumber),
  line: ownedByLine(COLUMN.mobileNumber, COLUMN.accountNumber),
}

/** The number of the keyset; each has an index that starts with what the page is narrowed to. */
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

const pageOf = (query: ConnectionQuery, field: NumberField): OwnedPageQuery<SelectedRow> => ({
  columns: Prisma.sql`${query.columns.columns}, ${BYTES}`,
  ...rowsOf(query),
  keyset: query.keyset,
  number: NUMBER[field],
  numberRead: READ[field],
  bounded: { number: READ[field], names: query.columns.names },
  cursorOf: row => toCursor(row[field]),
})

/** The page of each owner, in the owners' order, by one statement. */
export const readConnections = (
  db: Statements,
  query: ConnectionQuery,
  by: OwnedBy,
  owners: readonly string[],
): Promise<TransactionConnection[]> => readKeysetPages(db, pageOf(query, 'position'), OWNERSHIP[by], owners)

/** One client's transactions, not narrowed to an owner, are found by the client's own numbers. */
const numberFor = ({ clientId, filter }: ConnectionQuery): NumberField =>
  (clientId ?? filter.clientId) != null && filter.mobileNumber == null && filter.customerAccountNumber == null
    ? 'clientPosition'
    : 'position'

/** `totalCount` over all transactions that may be seen; without a filter the sequence's head is the count. */
const countConnection = async (db: Statements, query: CountQuery): Promise<number> => {
  const { kind, clientId, filter } = query
  if (Object.values(filter).some(value => value != null)) return countRows(db, rowsOf(query))
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT coalesce(max(position), 0) AS count FROM ${bookOf(kind)}
    WHERE name = ${kind.table} AND client_id = ${clientId ?? ''}`
  return Number(row!.count)
}

/** The page over all transactions that may be seen. */
export const readConnection = (
  db: Statements,
  query: ConnectionQuery,
): Promise<CountedConnection<SelectedRow>> =>
  readKeysetPage(db, pageOf(query, numberFor(query)), () => countConnection(db, query))

/** `totalCount` for each owner, in the owners' order, by one statement. */
export const countConnections = (
  db: Statements,
  query: CountQuery,
  by: OwnedBy,
  owners: readonly string[],
): Promise<number[]> => countByOwner(db, rowsOf(query), OWNERSHIP[by], owners)

/** The graph's `TransactionFilter`; numbers are digits with country code, times are inclusive. */
export interface TransactionFilter {
  readonly mobileNumber?: string | null
  readonly customerAccountNumber?: string | null
  readonly clientCorrelatorId?: string | null
  readonly referenceCode?: string | null
  readonly clientId?: string | null
  readonly outcomes?: readonly Outcome[] | null
  readonly from?: Date | null
  readonly to?: Date | null
}

interface Filtered {
  readonly kind: TransactionKind
  readonly clientId: string | undefined
  readonly filter: TransactionFilter
}

/** Digits as the tables hold them: the graph's phone numbers carry a plus. */
const digits = (number: string) => number.replace(/^\+/, '')

const REFERENCES = ['customerAccountNumber', 'clientCorrelatorId', 'referenceCode', 'clientId'] as const

const checkReferences = (filter: TransactionFilter) => {
  for (const name of REFERENCES) if (filter[name] != null) checkReference(`filter.${name}`, filter[name])
}

/**
 * The conditions, joined by AND: first visibility, then the filter.
 * @throws ServiceError INVALID_ARGUMENT naming a text that is longer than any reference, or in no database.
 */
export function conditionsOf({ kind, clientId, filter }: Filtered): Prisma.Sql {
  checkReferences(filter)
  const { mobileNumber, customerAccountNumber, clientCorrelatorId, referenceCode, outcomes, from, to } =
    filter
  const conditions = [
    visibleTo({ clientId }, 't'),
    visibleTo({ clientId: filter.clientId ?? undefined }, 't'),
  ]
  if (mobileNumber != null) conditions.push(Prisma.sql`t.mobile_number = ${digits(mobileNumber)}`)
  if (customerAccountNumber != null) conditions.push(Prisma.sql`t.account_number = ${customerAccountNumber}`)
  if (clientCorrelatorId != null) conditions.push(Prisma.sql`t.client_correlator_id = ${clientCorrelatorId}`)
  if (referenceCode != null) conditions.push(Prisma.sql`t.reference_code = ${referenceCode}`)
  if (outcomes != null) conditions.push(Prisma.sql`t.status = ANY (${statusesOf(kind, outcomes)}::text[])`)
  if (from != null) conditions.push(Prisma.sql`t.created_at >= ${withinCalendar(from)}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`t.created_at <= ${withinCalendar(to)}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}
