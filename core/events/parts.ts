/** What the files of this folder use of all that a process shares. */
import type { Watchdog } from '../async/watchdog.ts'
import type { Config } from '../config/config.ts'
import type { PrismaClient } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'

export interface EventParts {
  readonly config: Config
  readonly log: Logger
  readonly db: PrismaClient
  readonly watchdog: Watchdog
}
