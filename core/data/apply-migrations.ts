/**
 * Applying migrations: each commits together with its record, so that a process that is killed, or a connection that
 * is cut, leaves a database from which the next process goes on, at whatever statement it happened. Prisma's schema engine
 * commits each statement by itself, writes its record before and after, and refuses to go on from a state in between.
 *
 * Records stand in `_prisma_migrations` as Prisma's command line writes and reads them.
 */
import { createHash, randomUUID } from 'node:crypto'
import { SetupError } from '../errors/catalogue.ts'
import { countDone } from './interrupted-migration.ts'
import {
  GIVE_UP_LOCAL,
  type LockWaiting,
  locksOn,
  PATIENCE_MS,
  tablesOf,
  takeStep,
  withLockRetries,
} from './migration-locks.ts'
import {
  inOneTransaction,
  isInSteps,
  type MigrationSource,
  ownMigrations,
  type RunSql,
  statementsOf,
} from './migrations.ts'

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
const remaining = async (run: RunSql, source: MigrationSource, name: string): Promise<string[]> => {
  const done = await countDone(run, source, name)
  return [retire(name), ...statementsOf(source.read(name)).slice(done)]
}

const apply = async (run: RunSql, source: MigrationSource, name: string, interrupted: boolean) => {
  const sql = source.read(name)
  try {
    const all = interrupted ? await remaining(run, source, name) : [inOneTransaction(sql)]
    for (const statements of all) await run(statements)
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

/** Everything of an empty database, which nobody uses yet, in one transaction. */
const applyAll = (run: RunSql, source: MigrationSource) =>
  inTransaction(run, async () => {
    for (const name of source.names) await apply(run, source, name, false)
  })

const stopped = (name: string, error: unknown) =>
  isOfStatement(error)
    ? new SetupError(
        `Migration ${name} stopped at a step, which npm run db:migrate repeats: ${error.message}`,
        { cause: error },
      )
    : error

/** Locks of a migration on tables that were there before. */
interface Locked {
  /** The tables, each with what had to wait. */
  readonly locks: readonly string[]
  /** How long it held them at the most, in milliseconds: its last try, from its beginning to its commit. */
  readonly lockedMs: number
}

/** Each statement by itself, and all of them again where they were interrupted: each can be repeated. */
const applyInSteps = async (
  run: RunSql,
  { read }: MigrationSource,
  name: string,
  waiting: LockWaiting,
): Promise<Locked> => {
  const sql = read(name)
  try {
    for (const step of statementsOf(sql)) await takeStep(run, step, name, waiting)
  } catch (error) {
    throw stopped(name, error)
  }
  await inTransaction(run, async () => {
    await run(retire(name))
    await run(recordOf(name, sql))
  })
  return { locks: [], lockedMs: 0 }
}

/**
 * Applies a migration on tables that are in use: it gives up a lock that it cannot have at once, and tries again.
 * @returns what it locked, and for how long.
 */
const applyInUse = (
  run: RunSql,
  source: MigrationSource,
  name: string,
  interrupted: boolean,
  waiting: LockWaiting,
): Promise<Locked> =>
  withLockRetries(run, name, waiting, async () => {
    let locks: readonly string[] = []
    const began = performance.now()
    await inTransaction(run, async () => {
      await run(GIVE_UP_LOCAL)
      const before = await tablesOf(run)
      await apply(run, source, name, interrupted)
      locks = await locksOn(run, before)
    })
    return { locks, lockedMs: locks.length > 0 ? performance.now() - began : 0 }
  })

/** A migration that was applied, with what it did to others. */
export interface AppliedMigration extends Locked {
  readonly name: string
  /** From its beginning to its commit in milliseconds, with all tries to have its locks. */
  readonly ms: number
}

/** Options of applying migrations. */
export interface ApplyOptions {
  readonly source?: MigrationSource
  /** Called after each migration on tables that are in use. */
  onApplied?(applied: AppliedMigration): void
  /** Called when a migration could not have its locks and waits to try again, with the reason. */
  onLockWait?(reason: string): void
  /** How long a migration tries to have its locks, in milliseconds. */
  readonly patienceMs?: number
}

/**
 * Applies what is missing, in order. An empty database gets all migrations or none, so that an interrupted start leaves
 * one that is empty. Of a migration that an earlier version of the program began and did not finish, it finds out how
 * far it came, and goes on from there.
 * @returns the names applied.
 * @throws SetupError when a migration fails, or cannot have its locks: it leaves nothing behind (one in steps what it has
 * done), and those committed before it are kept.
 */
export async function applyMigrations(run: RunSql, options: ApplyOptions = {}): Promise<string[]> {
  const { source = ownMigrations(), onApplied, onLockWait, patienceMs = PATIENCE_MS } = options
  await createTable(run)
  const records = new Map((await run(RECORDS)).map(({ name, finished }) => [name, finished]))
  const missing = source.names.filter(name => records.get(name) !== true)
  if (records.size === 0) {
    await applyAll(run, source)
    return missing
  }
  for (const name of missing) {
    const began = performance.now()
    const locked = isInSteps(source.read(name))
      ? await applyInSteps(run, source, name, { onLockWait, patienceMs })
      : await applyInUse(run, source, name, records.has(name), { onLockWait, patienceMs })
    onApplied?.({ name, ms: performance.now() - began, ...locked })
  }
  return missing
}
