/** A server starts on the schema of its version: an empty database it sets up itself, another one it leaves to its owner. */
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { SetupError } from '../errors/setup-error.ts'
import { type Database, MIGRATION_LOCK, migrateUnlocked } from './db.ts'
import { migrationNames, type SchemaState, schemaState } from './migrate.ts'

const lacking = (pending: readonly string[]) =>
  new SetupError(
    `The database is older than this program: it lacks ${pending.length} migration(s), the first is ${pending[0]}: run npm run db:migrate`,
  )

const checkNotNewer = ({ unknown }: SchemaState) => {
  if (unknown.length === 0) return
  throw new SetupError(
    `The database is newer than this program: version ${VERSION} does not know ${unknown.length} of its migration(s), the last is ${unknown.at(-1)}: run the version that migrated it`,
  )
}

/** @throws SetupError naming what to do when the schema is another version's, or not there at all. */
export async function checkSchema({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  const state = await schemaState(prisma)
  checkNotNewer(state)
  if (state.pending.length > 0) throw lacking(state.pending)
}

/** Another process may have been at it until now, so it is looked again once it is this one's turn. */
const setUpIfEmpty = async ({ prisma }: Database, { databaseUrl }: Config) => {
  const { pending } = await schemaState(prisma)
  if (pending.length === 0) return
  if (pending.length < migrationNames().length) throw lacking(pending)
  await migrateUnlocked(databaseUrl)
}

/**
 * Makes sure that the schema is there; of several processes that start on an empty database one sets it up.
 * @throws SetupError naming what to do when it is another version's.
 */
export async function requireSchema(database: Database, config: Config): Promise<void> {
  const state = await schemaState(database.prisma)
  checkNotNewer(state)
  if (state.pending.length === 0) return
  if (config.readOnly) throw lacking(state.pending)
  await database.withAdvisoryLock(MIGRATION_LOCK, () => setUpIfEmpty(database, config))
}
