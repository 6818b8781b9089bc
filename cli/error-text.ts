/** What a failure is called on the command line: its message, without a stack. */
import { ImportError } from '#core/directory/rows.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { faultText, lastLine } from '#core/fault-text.ts'

const SPOKEN = [ImportError, ServiceError]

/** The message to print after `error: `. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (SPOKEN.some(kind => error instanceof kind)) return error.message
  return faultText(error) ?? lastLine(error)
}
