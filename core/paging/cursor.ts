/** Opaque cursors: where an entry stands in the order of its connection, and in which order that is. */
import { invalidField } from '../errors/catalogue.ts'

/** The largest number that the database can be asked for. */
const MAX = 2n ** 63n - 1n

export interface Cursors {
  /** The cursor of the entry with this number. */
  to(number: bigint): string
  /**
   * The number in a cursor.
   * @throws ServiceError INVALID_ARGUMENT when it is none of this order.
   */
  from(name: string, cursor: string): bigint
}

/**
 * The cursors of one order, told from those of others by their prefix.
 * @param most the largest number there can be in them.
 */
export const createCursors = (prefix: string, most = MAX): Cursors => ({
  to: number => Buffer.from(`${prefix}${number}`).toString('base64url'),
  from(name, cursor) {
    const text = Buffer.from(cursor, 'base64url').toString()
    const digits = text.startsWith(prefix) ? text.slice(prefix.length) : ''
    if (/^\d{1,40}$/.test(digits) && BigInt(digits) <= most) return BigInt(digits)
    throw invalidField(name, 'BAD_CURSOR', 'must be a cursor from an earlier answer, unchanged')
  },
})

/** Cursors of connections that are ordered by the number of a gapless sequence. */
export const { to: toCursor, from: fromCursor } = createCursors('n1:')
