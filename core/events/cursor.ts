/** Cursors of the event log: the same wherever an event is met, good on every instance, and named where a stream has to end. */
import { invalidField, ServiceError } from '../errors/catalogue.ts'
import { createNumberCursors } from '../paging/cursor.ts'

/** The largest number of 18 digits, far beyond any position. */
const MOST = 10n ** 18n - 1n

/** The cursor of the event at a position, and the position in a cursor. */
export const { to: toEventCursor, from: fromEventCursor } = createNumberCursors(
  'e1:',
  MOST,
  'must be the cursor of an event, unchanged',
)

/** The bounds of the log, which holds every position after `start`, up to `head`. */
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

/** The error of a stream that has to end: 503, with the cursor to resume after in its message and in `extensions.cursor`. */
export const resumeAfterCursor = (reason: string, cursor: string, cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `${reason}; resume after ${cursor}`, {
    extensions: { cursor },
    cause,
  })

/** The same error for a position in the event log. */
export const resumeAfter = (reason: string, position: bigint, cause?: unknown): ServiceError =>
  resumeAfterCursor(reason, toEventCursor(position), cause)
