/** What the files of this folder use of all that a process shares. */
import type { Config } from '../config/config.ts'
import type { PrismaClient } from './db.ts'

export interface DataParts {
  readonly config: Config
  readonly db: PrismaClient
}
