/** Cursors of the event log: opaque, the same wherever an event is met, good on every instance. */
import { invalidField } from '../errors/catalogue.ts'

const PREFIX = 'e1:'

/** The cursor of the event at this position. */
export const toEventCursor = (position: bigint): string =>
  Buffer.from(`${PREFIX}${position}`).toString('base64url')

/**
 * The position in a cursor.
 * @throws ServiceError INVALID_ARGUMENT when it is none of the event log's.
 */
export function fromEventCursor(name: string, cursor: string): bigint {
  const text = Buffer.from(cursor, 'base64url').toString()
  const digits = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : ''
  if (!/^\d{1,18}$/.test(digits))
    throw invalidField(name, 'BAD_CURSOR', 'must be the cursor of an event, unchanged')
  return BigInt(digits)
}

/** What the log holds: every position after `start`, up to `head`. */
export interface LogBounds {
  readonly start: bigint
  readonly head: bigint
}

/**
 * Checks that everything after a position is still there.
 * @throws ServiceError INVALID_ARGUMENT for a cursor whose successors are deleted, or that is not of this log.
 */
export function checkPosition(name: string, position: bigint, { start, head }: LogBounds): void {
  if (position > head)
    throw invalidField(name, 'BAD_CURSOR', 'must be the cursor of an event of this system, unchanged')
  if (position >= start) return
  throw invalidField(
    name,
    'EXPIRED_CURSOR',
    'has expired: later events are no longer kept; begin anew from the query events',
  )
}
