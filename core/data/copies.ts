/** Copies of an installation's database: opened for copying, and marked, so that nothing leaves a server on one by itself. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Config } from '../config/config.ts'
import { SetupError } from '../errors/catalogue.ts'
import { AS_TEXT } from '../third-party/pg.ts'
import { type Copied, type CopySession, copyRows } from './copy-rows.ts'
import { faultText } from './database-errors.ts'
import {
  checkSameSchema,
  checkSchema,
  type Database,
  embeddedDatabase,
  migratePostgres,
  openDatabase,
} from './db.ts'
import { hasDatabase, loadArchive, openDataDir } from './embedded.ts'
import { createClient, endClient } from './postgres.ts'

/** A database that is read from or written to, in one transaction. */
interface OpenCopy extends CopySession, AsyncDisposable {}

const CONNECT_TIMEOUT_MS = 5_000

const openPostgresCopy = async (url: string, begin: string): Promise<OpenCopy> => {
  const client = createClient(url, 'copy', { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true })
  await client.connect()
  await client.query(begin)
  return {
    async query(sql, values = []) {
      const { rows } = await client.query({ text: sql, values: [...values], types: AS_TEXT })
      return rows
    },
    [Symbol.asyncDispose]: () => endClient(client),
  }
}

const openEmbeddedCopy = async (dataDir: string, begin: string): Promise<OpenCopy> => {
  const { pglite, release } = await openDataDir(dataDir)
  const database = await embeddedDatabase(pglite, release)
  const { close } = database
  await checkSameSchema(database).catch(error => close().then(() => Promise.reject(error)))
  await pglite.query(begin)
  return {
    async query(sql, values = []) {
      return (await pglite.query<Record<string, string | null>>(sql, [...values])).rows
    },
    [Symbol.asyncDispose]: close,
  }
}

/** Whether an address is that of PostgreSQL; else it is a folder. */
export const isPostgresUrl = (target: string): boolean => /^postgres(ql)?:\/\//.test(target)

/** Sees one moment of the original, whatever is written meanwhile. */
const READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

const openSource = async (config: Config): Promise<OpenCopy> => {
  if (config.databaseUrl === undefined) return openEmbeddedCopy(config.dataDir, READING)
  const database = await openDatabase(config)
  await checkSameSchema(database).finally(() => database.close())
  return openPostgresCopy(config.databaseDirectUrl!, READING)
}

const openTarget = async (target: string): Promise<OpenCopy> => {
  if (!isPostgresUrl(target)) return openEmbeddedCopy(target, 'BEGIN')
  try {
    await migratePostgres({ databaseDirectUrl: target })
    return await openPostgresCopy(target, 'BEGIN')
  } catch (error) {
    const fault = faultText(error, '--to')
    throw fault === undefined ? error : new SetupError(fault, { cause: error })
  }
}

/** Marks a copy: its place is that of the original no more, so that an operator has to agree before anything leaves it. */
const MARK = (note: string) =>
  `UPDATE access.installation SET place = '${note} of ' || place WHERE place NOT LIKE '${note} of %'`

/**
 * Makes the embedded database of a folder of an archive, marked as a copy.
 * @param check looks at it before it has its place; where that fails, there is no database.
 */
export const restoreArchive = (
  dataDir: string,
  archive: Buffer,
  check: (database: Database) => Promise<void>,
): Promise<void> =>
  loadArchive(dataDir, archive, async pglite => {
    const database = await embeddedDatabase(pglite, async () => undefined)
    await checkSchema(database)
    await check(database)
    await pglite.query(MARK('a backup'))
  })

const COUNTS = `SELECT (SELECT count(*)::int FROM access.client) AS clients,
  (SELECT count(*)::int FROM activity.entry) AS entries`

/** Opens an archive in memory, and counts clients and entries of the timeline: a backup that does not open is none. */
export async function verifyArchive(archive: Buffer): Promise<{ clients: number; entries: number }> {
  await using pglite = await PGlite.create({ loadDataDir: new Blob([new Uint8Array(archive)]) })
  const { rows } = await pglite.query<{ clients: number; entries: number }>(COUNTS)
  return rows[0]!
}

const checkTarget = ({ databaseUrl, databaseDirectUrl, dataDir }: Config, target: string) => {
  const own = databaseUrl ? [databaseUrl, databaseDirectUrl] : [resolve(dataDir)]
  const other = isPostgresUrl(target) ? target : resolve(target)
  if (own.includes(other)) throw new SetupError('The database is copied to another one: --to names the same')
  if (!isPostgresUrl(target) && hasDatabase(target))
    throw new SetupError(`There is a database in ${target} already: name another folder`)
}

/**
 * Copies the configured database to an empty one, which is migrated on the way.
 * @param target address of PostgreSQL, or the folder of an embedded database that is made.
 * @throws SetupError where the target is the original or not empty; Error where the copy differs. It is then left empty.
 */
export async function copyDatabase(
  config: Config,
  target: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Copied> {
  checkTarget(config, target)
  await using source = await openSource(config)
  try {
    await using to = await openTarget(target)
    const copied = await copyRows(source, to, onProgress)
    await to.query(MARK('a copy'))
    await to.query('COMMIT')
    return copied
  } catch (error) {
    if (!isPostgresUrl(target)) rmSync(join(target, 'pglite'), { recursive: true, force: true })
    throw error
  }
}
