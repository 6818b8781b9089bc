/**
 * Applying migrations: each commits together with its record, so that a process that is killed, or a connection that
 * is cut, at whatever statement leaves a database from which the next one goes on. Prisma's schema engine commits each
 * statement by itself, writes its record before and after, and refuses to go on from what lies in between.
 *
 * Records stand in `_prisma_migrations` as Prisma's command line writes and reads them.
 */
import { createHash, randomUUID } from 'node:crypto'
import { SetupError } from '../errors/setup-error.ts'
import { migrationNames, readMigration } from './migrate.ts'
import { type RunSql, statementsOf } from './run-sql.ts'

/** As Prisma makes it. */
const TABLE = `CREATE TABLE public._prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0)`

const TABLE_EXISTS = `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS found`

const RECORDS = `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
  FROM public._prisma_migrations WHERE rolled_back_at IS NULL`

/** Tables of another program, or of this one without their records. */
const FOREIGN_TABLES = `SELECT count(*)::int AS count FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_'
  AND pg_class.oid NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')`

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Prisma's command line reads records in the order of their begin, so no two of a transaction begin at its begin. */
const recordOf = (name: string, sql: string) => {
  const checksum = createHash('sha256').update(sql).digest('hex')
  return `INSERT INTO public._prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    VALUES (${[randomUUID(), checksum, name].map(quoted).join(', ')}, clock_timestamp(), clock_timestamp(), 1)`
}

/** Prisma's word for a record that counts no longer: the attempt it stands for has been seen to. */
const retire = (name: string) =>
  `UPDATE public._prisma_migrations SET rolled_back_at = now()
   WHERE migration_name = ${quoted(name)} AND finished_at IS NULL AND rolled_back_at IS NULL`

/** A connection that was lost says so itself. */
const isOfStatement = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && !/^(08|57)/.test(String(Reflect.get(error, 'code')))

const failed = (name: string, error: unknown) =>
  isOfStatement(error)
    ? new SetupError(`Migration ${name} failed, and the database is as it was before it: ${error.message}`, {
        cause: error,
      })
    : error

const createTable = async (run: RunSql): Promise<void> => {
  const [found] = await run(TABLE_EXISTS)
  if (found!['found']) return
  const [foreign] = await run(FOREIGN_TABLES)
  if (Number(foreign!['count']) > 0)
    throw new SetupError(
      'The database has tables, and no record of the migrations that made them: name an empty database',
    )
  await run(TABLE)
}

/** The statements that an interrupted migration lacks. */
const remaining = async (run: RunSql, name: string): Promise<string[]> => {
  // Loaded when it is needed, which is hardly ever.
  const { countDone } = await import('./interrupted-migration.ts')
  return [retire(name), ...statementsOf(readMigration(name)).slice(await countDone(run, name))]
}

const apply = async (run: RunSql, name: string, interrupted: boolean): Promise<void> => {
  const sql = readMigration(name)
  try {
    for (const statements of interrupted ? await remaining(run, name) : [sql]) await run(statements)
    await run(recordOf(name, sql))
  } catch (error) {
    throw failed(name, error)
  }
}

/** Commits all that `work` does, or nothing. */
const inTransaction = async (run: RunSql, work: () => Promise<void>): Promise<void> => {
  await run('BEGIN')
  try {
    await work()
    await run('COMMIT')
  } catch (error) {
    await run('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Applies what is missing, in order. An empty database gets all migrations or none, so that an interrupted start leaves
 * one that is empty. Of a migration that an earlier version of the program began and did not finish, it finds out how
 * far it came, and goes on from there.
 * @returns the names applied.
 * @throws SetupError when a migration fails; it leaves nothing behind, and those committed before it are kept.
 */
export async function applyMigrations(run: RunSql): Promise<string[]> {
  await createTable(run)
  const records = new Map((await run(RECORDS)).map(({ name, finished }) => [name, finished]))
  const missing = migrationNames().filter(name => records.get(name) !== true)
  const together = records.size === 0 ? [missing] : missing.map(name => [name])
  for (const names of together)
    await inTransaction(run, async () => {
      for (const name of names) await apply(run, name, records.has(name))
    })
  return missing
}
