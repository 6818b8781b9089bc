/** A server starts on the schema of its version: an empty database it sets up itself, an older one it leaves to its owner. */
import type { Config } from '../config/config.ts'
import { type Database, MIGRATION_LOCK, migrateUnlocked } from './db.ts'
import { migrationNames, pendingMigrations } from './migrate.ts'

const lacking = (pending: readonly string[]) =>
  new Error(
    `The database lacks ${pending.length} migration(s), the first is ${pending[0]}: run npm run db:migrate`,
  )

/** Another process may have been at it until now, so it is looked again once it is this one's turn. */
const setUpIfEmpty = async ({ prisma }: Database, { databaseUrl }: Config) => {
  const pending = await pendingMigrations(prisma)
  if (pending.length === 0) return
  if (pending.length < migrationNames().length) throw lacking(pending)
  await migrateUnlocked(databaseUrl)
}

/**
 * Makes sure that the schema is there; of several processes that start on an empty database one sets it up.
 * @throws Error naming the command when it is another version's.
 */
export async function requireSchema(database: Database, config: Config): Promise<void> {
  const pending = await pendingMigrations(database.prisma)
  if (pending.length === 0) return
  if (config.readOnly) throw lacking(pending)
  await database.withAdvisoryLock(MIGRATION_LOCK, () => setUpIfEmpty(database, config))
}
