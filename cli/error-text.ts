/** What a failure is called on the command line: its message, without a stack. */
import { ImportError } from '../subgraphs/shared/directory/rows.ts'
import { ServiceError } from '../subgraphs/shared/errors/catalogue.ts'
import { SetupError } from '../subgraphs/shared/errors/setup-error.ts'

const SPOKEN = [SetupError, ImportError, ServiceError]

/** Prisma puts the call and its source before the reason, which stands on the last line. */
const lastLine = (text: string) => text.trim().split('\n').at(-1)!

/** The message to print after `error: `. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return SPOKEN.some(kind => error instanceof kind) ? error.message : lastLine(error.message) || error.name
}
