/** Opens the database for `doctor`: it is only read, and never made where there is none. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#core/config/config.ts'
import { type Database, MEMORY, openDatabase } from '#core/data/db.ts'
import { InUseError } from '#core/data/door.ts'
import { errorText } from '../output.ts'
import { excerptOf, type Finding, found } from './finding.ts'

const DATABASE = 'database'

/** The open database, or the finding in its place. */
export type Opened = { readonly database: Database } | { readonly finding: Finding }

/** Finds why an embedded database cannot be opened. Opening one that is not there would make it. */
const absent = ({ databaseUrl, dataDir }: Config): Finding | undefined => {
  if (databaseUrl !== undefined) return undefined
  if (dataDir === MEMORY)
    return found.unchecked(
      DATABASE,
      'The database is in the memory of the server (DATA_DIR=memory:): it is checked from outside alone.',
    )
  if (existsSync(join(dataDir, 'pglite'))) return undefined
  return found.unchecked(
    DATABASE,
    `There is no database here: DATABASE_URL is unset, and ${dataDir} holds none, so that only the outside is checked.`,
  )
}

/** Opens the database of the settings for reading. It is not migrated either. */
export async function openToLook(config: Config): Promise<Opened> {
  const finding = absent(config)
  if (finding) return { finding }
  try {
    // The direct address: a pooler does not pass on that a session only reads.
    const databaseUrl = config.databaseDirectUrl
    const database = await openDatabase({ ...config, databaseUrl, readOnly: true, databasePoolSize: 2 })
    return { database }
  } catch (error) {
    if (error instanceof InUseError)
      return {
        finding: found.unchecked(
          DATABASE,
          `The embedded database in ${config.dataDir} is held by a running process, and serves one at a time: it is checked from outside alone.`,
        ),
      }
    const text = `The embedded database in ${config.dataDir} cannot be opened (${excerptOf(errorText(error))}): restore it from a backup, or name another DATA_DIR.`
    return { finding: found.broken(DATABASE, text) }
  }
}
