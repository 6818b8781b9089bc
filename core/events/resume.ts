/** A stream that has to end says how to go on: nothing is lost by it. */
import { ServiceError } from '../errors/catalogue.ts'
import { toEventCursor } from './cursor.ts'

/** 503 whose message and `extensions.cursor` say where to resume. */
export const resumeAfterCursor = (reason: string, cursor: string, cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', `${reason}; resume after ${cursor}`, {
    extensions: { cursor },
    cause,
  })

/** The same for a position in the event log. */
export const resumeAfter = (reason: string, position: bigint, cause?: unknown): ServiceError =>
  resumeAfterCursor(reason, toEventCursor(position), cause)
