/**
 * Relay connections (Relay cursor connections, §4) over rows that are ordered by one number or text: their cursors, and the
 * calculation of pages.
 */

import { Prisma } from '../data/db.ts'
import { invalid, invalidField } from '../errors/catalogue.ts'

/** The cursors of one order. */
export interface Cursors<Key = bigint> {
  /** Makes the cursor of the entry with this key. */
  to(key: Key): string
  /**
   * Reads the key of a cursor, which is the value of the argument of this name.
   * @throws ServiceError INVALID_ARGUMENT with `BAD_CURSOR` for the cursor of another order, or a text that is none.
   */
  from(name: string, cursor: string): Key
}

export interface CursorOptions<Key> {
  /** Writes a key as text. */
  write(key: Key): string
  /** Reads the key from such a text; undefined where it has none. */
  read(text: string): Key | undefined
  /** Rest of a sentence that begins with the name of the argument. */
  readonly refusal?: string
}

const REFUSAL = 'must be a cursor from an earlier answer, unchanged'

/** Makes the cursors of an order. The prefix tells them from the cursors of all other orders. */
export const createCursors = <Key>(
  prefix: string,
  { write, read, refusal = REFUSAL }: CursorOptions<Key>,
): Cursors<Key> => ({
  to: key => Buffer.from(prefix + write(key)).toString('base64url'),
  from(name, cursor) {
    const text = Buffer.from(cursor, 'base64url').toString()
    const key = text.startsWith(prefix) ? read(text.slice(prefix.length)) : undefined
    if (key === undefined) throw invalidField(name, 'BAD_CURSOR', refusal)
    return key
  },
})

/** The largest number that fits into PostgreSQL's bigint. */
const BIGINT_MAX = 2n ** 63n - 1n

/**
 * Makes the cursors of an order by whole numbers from 0 on.
 * @param most the largest number that a cursor may hold.
 */
export const createNumberCursors = (prefix: string, most = BIGINT_MAX, refusal = REFUSAL): Cursors => {
  const longest = String(most).length
  return createCursors(prefix, {
    write: String,
    read(text) {
      const number = text.length <= longest && /^\d+$/.test(text) ? BigInt(text) : undefined
      return number !== undefined && number <= most ? number : undefined
    },
    refusal,
  })
}

/** Cursors of connections that are ordered by the number of a gapless sequence. */
export const { to: toCursor, from: fromCursor } = createNumberCursors('n1:')

/** The graph's `TransactionOrder`. */
export type Order = 'NEWEST_FIRST' | 'OLDEST_FIRST' | 'LARGEST_AMOUNT_FIRST' | 'SMALLEST_AMOUNT_FIRST'

/** The arguments that every connection field takes. */
export interface PageArgs {
  readonly first?: number | null
  readonly after?: string | null
  readonly last?: number | null
  readonly before?: string | null
  readonly orderBy?: Order | null
}

/** A page in the requested order, with what is needed to page on. */
export interface Connection<Row> {
  readonly edges: { cursor: string; node: Row }[]
  readonly nodes: Row[]
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

/** A page with a total that is counted only on request. */
export interface CountedConnection<Row> extends Connection<Row> {
  totalCount(): Promise<number>
}

/** The key that rows are ordered by: a number, or a text. */
export type Key = bigint | string

/** Reads the key of a cursor, which is the value of the argument of this name. */
export type ReadCursor<K extends Key> = (name: string, cursor: string) => K

/** The page as the database reads it: `backward` when it is counted from the end. */
export interface Keyset<K extends Key = bigint> {
  readonly size: number
  readonly after?: K
  readonly before?: K
  /** From the newest, or the largest, on. */
  readonly descending: boolean
  readonly backward: boolean
}

/** The size of a page when none is given. */
export const DEFAULT_SIZE = 50
const MAX_SIZE = 200

const checkSize = (name: string, size: number | null | undefined) => {
  if (size == null || (size >= 0 && size <= MAX_SIZE)) return
  throw invalidField(name, size < 0 ? 'TOO_SMALL' : 'TOO_GREAT', `must be from 0 to ${MAX_SIZE}`)
}

/** Whether an order is one by amount, which timelines alone have. */
export const isByAmount = (orderBy: Order | null | undefined): boolean =>
  orderBy === 'LARGEST_AMOUNT_FIRST' || orderBy === 'SMALLEST_AMOUNT_FIRST'

/**
 * Reads `first`/`after`/`last`/`before` and `orderBy` of a connection that is ordered by time.
 * @param read how the connection's cursors are read.
 * @throws ServiceError INVALID_ARGUMENT for another order, and what `parseKeyset` refuses.
 */
export function parsePageArgs(args: PageArgs): Keyset
export function parsePageArgs<K extends Key>(args: PageArgs, read: ReadCursor<K>): Keyset<K>
export function parsePageArgs(args: PageArgs, read: ReadCursor<Key> = fromCursor): Keyset<Key> {
  if (isByAmount(args.orderBy))
    throw invalidField(
      'orderBy',
      'UNKNOWN_VALUE',
      'must be NEWEST_FIRST or OLDEST_FIRST: timelines alone are ordered by amount',
    )
  return parseKeyset(args, read)
}

/**
 * Reads the arguments of a connection that has every order.
 * @throws ServiceError INVALID_ARGUMENT for sizes out of range, both directions at once, or a foreign cursor.
 */
export function parseKeyset<K extends Key>(args: PageArgs, read: ReadCursor<K>): Keyset<K>
export function parseKeyset(
  { first, after, last, before, orderBy }: PageArgs,
  read: ReadCursor<Key>,
): Keyset<Key> {
  checkSize('first', first)
  checkSize('last', last)
  if (first != null && last != null)
    throw invalid('first and last must not be given together', { field: 'last', reason: 'CONTRADICTION' })
  return {
    size: first ?? last ?? DEFAULT_SIZE,
    after: after == null ? undefined : read('after', after),
    before: before == null ? undefined : read('before', before),
    descending: orderBy !== 'OLDEST_FIRST' && orderBy !== 'SMALLEST_AMOUNT_FIRST',
    backward: last != null,
  }
}

/** A larger number goes as text, to be compared with what is NUMERIC itself. */
const bound = (key: Key) =>
  typeof key === 'bigint' && key > BIGINT_MAX ? Prisma.sql`${String(key)}::numeric` : Prisma.sql`${key}`

/** The conditions on the number that the cursors set. */
export const boundsOf = ({ after, before, descending }: Keyset<Key>, number: Prisma.Sql): Prisma.Sql => {
  const [low, high] = descending ? [before, after] : [after, before]
  const conditions = [Prisma.sql`TRUE`]
  if (low !== undefined) conditions.push(Prisma.sql`${number} > ${bound(low)}`)
  if (high !== undefined) conditions.push(Prisma.sql`${number} < ${bound(high)}`)
  return Prisma.join(conditions, ' AND ')
}

/** The direction in which the slice is read. */
export const directionOf = ({ descending, backward }: Keyset<Key>): Prisma.Sql =>
  Prisma.raw(descending === backward ? 'ASC' : 'DESC')

/** Reads one row more than the page holds: its presence says that there is a further page. */
export const orderAndLimit = (keyset: Keyset<Key>, number: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`ORDER BY ${number} ${directionOf(keyset)} LIMIT ${keyset.size + 1}`
