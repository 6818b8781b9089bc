/**
 * `npm run db:migrate`: brings the PostgreSQL of `DATABASE_URL` to the schema this version needs;
 * `npm run db:migrate -- create <name>` writes the migration that `kind.ts` and `prisma/schema` ask for.
 */
import { relative } from 'node:path'
import { ConfigError, readConfig } from '#core/config/config.ts'
import type { AppliedMigration } from '#core/data/apply-migrations.ts'
import { faultText } from '#core/data/database-errors.ts'
import { migratePostgres } from '#core/data/db.ts'
import { loadKinds } from '#subgraphs/load.ts'

const USAGE = `npm run db:migrate                      applies the migrations to the PostgreSQL of DATABASE_URL
npm run db:migrate -- create <name>     writes the next one`

const lockedFor = ({ locks, lockedMs }: AppliedMigration) =>
  locks.length > 0
    ? `locked for at most ${Math.ceil(lockedMs)} ms: ${locks.join(', ')}`
    : 'locked nothing that was there'

const tell = (one: AppliedMigration) =>
  console.log(`${one.name}: ${Math.round(one.ms)} ms, ${lockedFor(one)}`)

const apply = async () => {
  const config = readConfig()
  if (!config.databaseUrl)
    throw new ConfigError(['DATABASE_URL must be set: the embedded database migrates itself'])
  if (config.readOnly) throw new ConfigError(['READ_ONLY must not be 1: migrations change the database'])
  const applied = await migratePostgres(
    config,
    () => console.log('Waiting for another process that migrates'),
    { onApplied: tell, onLockWait: console.log },
  )
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'Nothing to apply')
}

/** Loads Prisma's schema engine only here: it is a development package, and applying migrations does not need it. */
const create = async (name: string) => {
  const { createMigration } = await import('./create-migration.ts')
  const { withTemplate } = await import('./diff-schema.ts')
  const kinds = await loadKinds()
  const folder = import.meta.dirname
  const file = await withTemplate(adapter => createMigration(name, { adapter, kinds, folder }))
  console.log(
    file ? `Wrote ${relative('.', file)}` : 'Nothing to write: the migrations give what prisma/schema says',
  )
}

const run = (words: readonly string[]): Promise<void> => {
  const [command, name, ...more] = words
  if (command === undefined) return apply()
  if (command === 'create' && name !== undefined && more.length === 0) return create(name)
  throw new Error(USAGE)
}

const words = process.argv.slice(2)
try {
  if (words.some(word => word === '--help' || word === '-h')) console.log(USAGE)
  else await run(words)
} catch (error) {
  console.error(faultText(error) ?? (error instanceof Error ? error.message : error))
  process.exitCode = 1
}
