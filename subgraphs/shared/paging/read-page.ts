/** Reads pages by keyset: page 10,000 costs what page 1 costs, of one statement's rows or of each of many owners'. */
import { lookupsOf, Prisma, type Reader } from '../data/db.ts'
import { askedKeys } from '../data/given-rows.ts'
import {
  boundsOf,
  type Connection,
  type CountedConnection,
  directionOf,
  type Key,
  type Keyset,
  orderAndLimit,
  toConnection,
} from './keyset.ts'
import { bytesEach, fitting } from './page-bytes.ts'

/** Rows that are ordered by one number or text. */
export interface PageQuery<Row> {
  /** What stands between `SELECT` and `FROM`. */
  readonly columns: Prisma.Sql
  /** The table with its alias. */
  readonly from: Prisma.Sql
  /** Who may see, and what is asked for. */
  readonly where: Prisma.Sql
  readonly keyset: Keyset<Key>
  /** The number's column, with an index that begins with what the page is narrowed to. */
  readonly number: Prisma.Sql
  /** Where rows are of any size: the page ends where they, of which the columns say the `bytes`, would be more than `PAGE_BYTES`. */
  readonly bounded?: {
    /** The number's name among the rows that were read, `r`. */
    readonly number: Prisma.Sql
    /** The names of the other columns. */
    readonly names: Prisma.Sql
  }
  cursorOf(row: Row): string
}

type Statement = Omit<PageQuery<never>, 'cursorOf'>

/** The statement that reads a page, one row more than it holds. */
export const pageStatement = ({ columns, from, where, keyset, number }: Statement): Prisma.Sql => Prisma.sql`
  SELECT ${columns} FROM ${from} WHERE ${where} AND ${boundsOf(keyset, number)} ${orderAndLimit(keyset, number)}`

/** The same within its share of bytes, where one statement reads so many pages. */
const boundedStatement = (query: Statement, pages: number): Prisma.Sql => {
  const { bounded, keyset } = query
  if (!bounded) return pageStatement(query)
  const order = Prisma.sql`${bounded.number} ${directionOf(keyset)}`
  return fitting(pageStatement(query), bounded.names, order, bytesEach(pages))
}

/** How many rows there are in all. */
export async function countRows(
  db: Reader,
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
  db: Reader,
  query: PageQuery<Row>,
  totalCount = () => countRows(db, query),
): Promise<CountedConnection<Row>> {
  const rows = await db.$queryRaw<Row[]>`${boundedStatement(query, 1)}`
  return { ...toConnection(query.keyset, rows, query.cursorOf), totalCount }
}

/**
 * Whether nothing but the owner narrows the rows. Then the owner's index is the best way, whoever it is, and a plan may be
 * kept. Otherwise the best way depends on the values: it is looked for anew each time.
 */
const isWhole = ({ where }: Pick<Statement, 'where'>): boolean => where.values.length === 0

/** So many rows by an index are little. */
const FEW_ROWS = 1_000

/** The page of each owner, in the owners' order, by one statement: a list of lists does not grow their number. */
export async function readKeysetPages<Row extends object>(
  db: Reader,
  query: PageQuery<Row>,
  owner: Prisma.Sql,
  owners: readonly string[],
): Promise<Connection<Row>[]> {
  const ofOwner = { ...query, where: Prisma.sql`${owner} = asked.key AND ${query.where}` }
  const whole = isWhole(query)
  const asked = whole ? askedKeys(owners) : Prisma.sql`unnest(${owners}::text[])`
  const reader = whole && owners.length * query.keyset.size <= FEW_ROWS ? lookupsOf(db) : db
  const rows = await reader.$queryRaw<(Row & { holder: string })[]>`
    SELECT asked.key AS holder, page.* FROM ${asked} AS asked (key)
    CROSS JOIN LATERAL (${boundedStatement(ofOwner, owners.length)}) page`
  const found = Map.groupBy(rows, row => row.holder)
  return owners.map(one => toConnection(query.keyset, found.get(one) ?? [], query.cursorOf))
}

/** What the rows of these owners are selected from. */
const ofOwners = (query: Pick<Statement, 'from' | 'where'>, owner: Prisma.Sql, owners: readonly string[]) =>
  isWhole(query)
    ? Prisma.sql`${askedKeys(owners)} asked JOIN ${query.from} ON ${owner} = asked.key WHERE ${query.where}`
    : Prisma.sql`${query.from} WHERE ${owner} = ANY (${owners}::text[]) AND ${query.where}`

/**
 * How many rows each owner has, in the owners' order, by one statement.
 * @param count what counts them.
 */
export async function countByOwner(
  db: Reader,
  query: Pick<Statement, 'from' | 'where'>,
  owner: Prisma.Sql,
  owners: readonly string[],
  count = Prisma.sql`count(*)`,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ holder: string; count: bigint }[]>`
    SELECT ${owner} AS holder, ${count} AS count FROM ${ofOwners(query, owner, owners)} GROUP BY 1`
  const ofOwner = new Map(rows.map(row => [row.holder, Number(row.count)]))
  return owners.map(one => ofOwner.get(one) ?? 0)
}
