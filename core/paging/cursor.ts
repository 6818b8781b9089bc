/**
 * Opaque cursors: the key of an entry as base64url, behind a prefix that names the order of its connection. Clients keep
 * these texts, so neither prefix nor key may be written differently.
 */
import { invalidField } from '../errors/catalogue.ts'

/** The cursors of one order. */
export interface Cursors<Key = bigint> {
  /** The cursor of the entry with this key. */
  to(key: Key): string
  /**
   * The key in a cursor, which is the value of the argument of this name.
   * @throws ServiceError INVALID_ARGUMENT with `BAD_CURSOR` for the cursor of another order, or a text that is none.
   */
  from(name: string, cursor: string): Key
}

export interface CursorOptions<Key> {
  /** The key as text. */
  write(key: Key): string
  /** The key in such a text; undefined where it has none. */
  read(text: string): Key | undefined
  /** The rest of the sentence that begins with the name of the argument. */
  readonly refusal?: string
}

const REFUSAL = 'must be a cursor from an earlier answer, unchanged'

/** Makes the cursors of an order; the prefix sets them apart from those of every other. */
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
