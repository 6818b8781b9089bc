/** What a failure is called on the command line: its message, without a stack. */

import { ConfigError } from '../subgraphs/shared/config/config.ts'
import { InUseError } from '../subgraphs/shared/data/data-dir-lock.ts'
import { ImportError } from '../subgraphs/shared/directory/rows.ts'
import { ServiceError } from '../subgraphs/shared/errors/catalogue.ts'

/** A failure of administration alone, such as a database that is not ready. */
export class AdministrationError extends Error {}

const SPOKEN = [AdministrationError, ConfigError, ImportError, InUseError, ServiceError]

/** Prisma puts the call and its source before the reason, which stands on the last line. */
const lastLine = (text: string) => text.trim().split('\n').at(-1)!

/** The message to print after `error: `. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return SPOKEN.some(kind => error instanceof kind) ? error.message : lastLine(error.message) || error.name
}
