/** Opaque cursors: where an entry stands in the order of its connection, and in which order that is. */
import { invalid } from '../errors.ts'

const PREFIX = 'n1:'

/** The cursor of the entry with this number. */
export const toCursor = (position: bigint): string =>
  Buffer.from(`${PREFIX}${position}`).toString('base64url')

/**
 * The number in a cursor.
 * @throws ServiceError INVALID_ARGUMENT when it is none of ours.
 */
export function fromCursor(name: string, cursor: string): bigint {
  const text = Buffer.from(cursor, 'base64url').toString()
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  if (!/^\d{1,18}$/.test(digits)) throw invalid(`${name} must be a cursor from an earlier answer, unchanged`)
  return BigInt(digits)
}
