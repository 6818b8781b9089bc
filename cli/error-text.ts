/** What a failure is called on the command line: its message, without a stack. */
import { ImportError } from '../subgraphs/shared/directory/rows.ts'
import { ServiceError } from '../subgraphs/shared/errors/catalogue.ts'
import { faultText, lastLine } from '../subgraphs/shared/fault-text.ts'

const SPOKEN = [ImportError, ServiceError]

/** The message to print after `error: `. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (SPOKEN.some(kind => error instanceof kind)) return error.message
  return faultText(error) ?? lastLine(error)
}
