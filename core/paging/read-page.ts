/**
 * Pages by keyset: page 10,000 costs what page 1 costs, of the rows of one statement or of each of many owners. A page is
 * bounded by bytes as well as by rows, in the database, so that none is too large for memory, whatever was written before
 * texts had a maximum.
 */

import { Prisma, type Statements } from '../data/db.ts'
import { keysTable } from '../data/sql.ts'
import {
  boundsOf,
  type Connection,
  type CountedConnection,
  directionOf,
  type Key,
  type Keyset,
  orderAndLimit,
} from './keyset.ts'
import { counted, toConnection } from './page.ts'

/** The ways to the rows of an owner. */
export interface Ownership {
  /** Makes a table of owners' keys (column `key`) one with all columns that the conditions name, as `requested`. */
  readonly requested: (keys: Prisma.Sql) => Prisma.Sql
  /** The ways to an owner's rows, each by an index; a row that is found in two of them is one row. */
  readonly conditions: readonly [Prisma.Sql, ...Prisma.Sql[]]
}

/** Makes the owner the value of a column. */
export const ownedByColumn = (column: Prisma.Sql): Ownership => ({
  requested: keys => keys,
  conditions: [Prisma.sql`${column} = requested.key`],
})

/** A number together with the account that it is a line of, as one key; a number has no blank in it. */
export const lineKey = (mobileNumber: string, accountNumber: string): string =>
  `${mobileNumber} ${accountNumber}`

/** Makes the owner a line with its account (`lineKey`): rows that name the number, and rows of the account. */
export const ownedByLine = (number: Prisma.Sql, account: Prisma.Sql): Ownership => ({
  requested: keys => Prisma.sql`
    (SELECT k.key, split_part(k.key, ' ', 1) AS number, substr(k.key, strpos(k.key, ' ') + 1) AS account
    FROM ${keys} k)`,
  conditions: [Prisma.sql`${number} = requested.number`, Prisma.sql`${account} = requested.account`],
})

/** The ways to an owner's rows, so that no two lead to the same row. */
export const disjoint = ({ conditions: [first, ...others] }: Ownership): Prisma.Sql[] => [
  first,
  ...others.map(other => Prisma.sql`${other} AND (${first}) IS NOT TRUE`),
]

/** The most of texts and bodies that a page holds, unless its first row alone is larger. */
export const PAGE_BYTES = 8 * 1_024 * 1_024

/** The most that the pages of many owners hold together, each of them its first row at least. */
const STATEMENT_BYTES = 4 * PAGE_BYTES

/** The share of each page, where one statement reads so many of them. */
const bytesEach = (pages: number): number =>
  Math.min(PAGE_BYTES, Math.floor(STATEMENT_BYTES / Math.max(1, pages)))

/**
 * The first of ordered rows that fit, at least one.
 * @param rows a SELECT with `bytes`, ordered by `number` and limited.
 * @param names the columns of their result that are read, beside `cut`: whether the rows after one were cut off.
 * @param order the order of the rows, in the names of their result.
 */
export const fitting = (
  rows: Prisma.Sql,
  names: Prisma.Sql,
  order: Prisma.Sql,
  most: number,
): Prisma.Sql => Prisma.sql`
  SELECT ${names}, cut FROM (
    SELECT r.*, row_number() OVER page AS nth, sum(r.bytes) OVER page AS until,
      coalesce(sum(r.bytes) OVER page + lead(r.bytes) OVER page > ${most}::bigint, FALSE) AS cut
    FROM (${rows}) r WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) fit
  WHERE fit.nth = 1 OR fit.until <= ${most}::bigint`

/** Rows that are ordered by one number or text. */
export interface PageQuery<Row> {
  /** The text between `SELECT` and `FROM`. */
  readonly columns: Prisma.Sql
  /** The table with its alias. */
  readonly from: Prisma.Sql
  /** The conditions of the caller and of the filter. */
  readonly where: Prisma.Sql
  readonly keyset: Keyset<Key>
  /** The number's column, with an index that begins with what the page is narrowed to. */
  readonly number: Prisma.Sql
  /** Given where rows are of any size: the columns have their `bytes`, and the page ends before `PAGE_BYTES`. */
  readonly bounded?: {
    /** The number's name among the rows that were read, `r`. */
    readonly number: Prisma.Sql
    /** The names of the other columns. */
    readonly names: Prisma.Sql
  }
  cursorOf(row: Row): string
}

/** Rows of owners. */
export interface OwnedPageQuery<Row> extends PageQuery<Row> {
  /** The number's name among the rows that were read, `r`. */
  readonly numberRead: Prisma.Sql
}

type Statement = Omit<PageQuery<never>, 'cursorOf'>
type OwnedStatement = Omit<OwnedPageQuery<never>, 'cursorOf'>

/** The statement that reads a page, one row more than it holds. */
const pageStatement = ({ columns, from, where, keyset, number }: Statement): Prisma.Sql => Prisma.sql`
  SELECT ${columns} FROM ${from} WHERE ${where} AND ${boundsOf(keyset, number)} ${orderAndLimit(keyset, number)}`

/**
 * The same of one owner, `requested`. Where several ways lead to its rows, the page is made of a page of each, so that each is
 * read by its index; a row that is on two of them has the same number on both.
 */
const ownedStatement = (query: OwnedStatement, { conditions }: Ownership): Prisma.Sql => {
  const { where, keyset, numberRead } = query
  const pages = conditions.map(owned => pageStatement({ ...query, where: Prisma.sql`${owned} AND ${where}` }))
  if (pages.length === 1) return pages[0]!
  const found = Prisma.join(pages, ') UNION ALL (', '(', ')')
  return Prisma.sql`
    SELECT DISTINCT ON (${numberRead}) r.* FROM (${found}) r ${orderAndLimit(keyset, numberRead)}`
}

/** A page's statement within its share of bytes, where one statement reads so many pages. */
const withinBytes = ({ bounded, keyset }: Statement, page: Prisma.Sql, pages: number): Prisma.Sql => {
  if (!bounded) return page
  const order = Prisma.sql`${bounded.number} ${directionOf(keyset)}`
  return fitting(page, bounded.names, order, bytesEach(pages))
}

/** Counts the rows in all. */
export async function countRows(
  db: Statements,
  { from, where }: Pick<Statement, 'from' | 'where'>,
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`SELECT count(*) AS count FROM ${from} WHERE ${where}`
  return Number(row!.count)
}

/**
 * The page.
 * @param totalCount how many there are in all, where it can be known for less than counting them.
 */
export async function readKeysetPage<Row extends object>(
  db: Statements,
  query: PageQuery<Row>,
  totalCount = () => countRows(db, query),
): Promise<CountedConnection<Row>> {
  const rows = await db.$queryRaw<Row[]>`${withinBytes(query, pageStatement(query), 1)}`
  return counted(toConnection(query.keyset, rows, query.cursorOf), totalCount)
}

/**
 * Whether nothing but the owner narrows the rows. Then the owner's index is the best way for each owner, and a plan may be
 * kept. Otherwise the best way depends on the values: it is looked for anew each time.
 */
const isWhole = ({ where }: Pick<Statement, 'where'>): boolean => where.values.length === 0

/** The owners' keys as a table: as they are planned for once, or for how many there are. */
const keysOf = (query: Pick<Statement, 'where'>, owners: readonly string[]): Prisma.Sql =>
  isWhole(query) ? keysTable(owners) : Prisma.sql`(SELECT unnest(${owners}::text[]) AS key)`

/** So many rows by an index are little. */
const FEW_ROWS = 1_000

/** The page of each owner, in the owners' order, by one statement: a list of lists does not grow their number. */
export async function readKeysetPages<Row extends object>(
  db: Statements,
  query: OwnedPageQuery<Row>,
  ownership: Ownership,
  owners: readonly string[],
): Promise<Connection<Row>[]> {
  const whole = isWhole(query)
  const read = whole && owners.length * query.keyset.size <= FEW_ROWS ? db.$lookUp : db.$queryRaw
  const page = withinBytes(query, ownedStatement(query, ownership), owners.length)
  const rows = await read<(Row & { holder: string })[]>`
    SELECT requested.key AS holder, page.* FROM ${ownership.requested(keysOf(query, owners))} requested
    CROSS JOIN LATERAL (${page}) page`
  const found = Map.groupBy(rows, row => row.holder)
  return owners.map(one => toConnection(query.keyset, found.get(one) ?? [], query.cursorOf))
}

/** Rows to be counted, and the expression that counts them. */
interface Counted extends Pick<Statement, 'from' | 'where'> {
  readonly count?: Prisma.Sql
}

/** The counts of the rows that each way leads to. */
const countsOf = ({ from, where, count }: Required<Counted>, ownership: Ownership) =>
  disjoint(ownership).map(
    owned => Prisma.sql`SELECT ${count} AS count FROM ${from} WHERE ${owned} AND ${where}`,
  )

/** How many rows each owner has, in the owners' order, by one statement. */
export async function countByOwner(
  db: Statements,
  { from, where, count = Prisma.sql`count(*)` }: Counted,
  ownership: Ownership,
  owners: readonly string[],
): Promise<number[]> {
  const counts = countsOf({ from, where, count }, ownership)
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT requested.key AS holder, sum(found.count)::bigint AS count
    FROM ${ownership.requested(keysOf({ where }, owners))} requested
    CROSS JOIN LATERAL (${Prisma.join(counts, ' UNION ALL ')}) found GROUP BY 1`
  const ofOwner = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return owners.map(one => ofOwner.get(one) ?? 0)
}
