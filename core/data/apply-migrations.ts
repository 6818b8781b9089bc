/**
 * Applying migrations: each commits together with its record, so that a process that is killed, or a connection that
 * is cut, leaves a database from which the next process goes on, at whatever statement it happened. Prisma's schema engine
 * commits each statement by itself, writes its record before and after, and refuses to go on from a state in between.
 *
 * Records stand in `_prisma_migrations` as Prisma's command line writes and reads them.
 */
import { createHash, randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { SetupError } from '../errors/catalogue.ts'
import { migrationNames, onPglite, type RunSql, readMigration, statementsOf } from './migrations.ts'

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

/** Schemas, relations, columns, constraints, indexes, functions and triggers, a line each, as all versions of PostgreSQL word them. */
const SHAPE = `
  WITH own AS (
    SELECT oid, nspname FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname !~ '^pg_'),
  relations AS (
    SELECT c.oid, nspname || '.' || relname AS name, relkind, reloptions
    FROM pg_class c JOIN own ON own.oid = relnamespace)
  SELECT 'schema ' || nspname AS part FROM own
  UNION ALL SELECT concat_ws(' ', 'relation', name, relkind, reloptions::text, pg_get_indexdef(oid)) FROM relations
  UNION ALL SELECT concat_ws(' ', 'column', name, attname, format_type(atttypid, atttypmod), attnotnull, atthasdef)
    FROM pg_attribute JOIN relations ON relations.oid = attrelid
    WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p', 'v')
  UNION ALL SELECT concat_ws(' ', 'constraint', name, conname, contype)
    FROM pg_constraint JOIN relations ON relations.oid = conrelid WHERE contype <> 'n'
  UNION ALL SELECT concat_ws(' ', 'function', nspname, proname, md5(prosrc))
    FROM pg_proc JOIN own ON own.oid = pronamespace
  UNION ALL SELECT concat_ws(' ', 'trigger', name, tgname)
    FROM pg_trigger JOIN relations ON relations.oid = tgrelid WHERE NOT tgisinternal`

type Shape = ReadonlySet<unknown>

const shapeOf = async (run: RunSql): Promise<Shape> => new Set((await run(SHAPE)).map(({ part }) => part))

/** The shapes before the migration and after each of its statements. */
const replay = async (name: string): Promise<Shape[]> => {
  await using pglite = await PGlite.create()
  const run = onPglite(pglite)
  for (const before of migrationNames().filter(one => one < name)) await run(readMigration(before))
  const shapes = [await shapeOf(run)]
  for (const statement of statementsOf(readMigration(name))) {
    await run(statement)
    shapes.push(await shapeOf(run))
  }
  return shapes
}

/** Everything that the migration makes or takes away on its way: an operator's own index says nothing about it. */
const touchedBy = (shapes: readonly Shape[]): Shape => {
  const all = shapes.reduce((sum, shape) => sum.union(shape))
  const common = shapes.reduce((sum, shape) => sum.intersection(shape))
  return all.difference(common)
}

const isEqual = (one: Shape, other: Shape) => one.symmetricDifference(other).size === 0

/**
 * Counts the statements of an interrupted migration that the database has: the migration is replayed on an embedded
 * database, and the shape after each statement is compared with the shape that the database has. A statement that changes rows alone shows
 * in no shape, and is done again where it was the last.
 * @throws SetupError when the database has been changed by other means since.
 */
async function countDone(run: RunSql, name: string): Promise<number> {
  const shapes = await replay(name)
  const touched = touchedBy(shapes)
  const found = (await shapeOf(run)).intersection(touched)
  const done = shapes.findIndex(shape => isEqual(shape.intersection(touched), found))
  if (done >= 0) return done
  throw new SetupError(
    `Migration ${name} was interrupted, and the tables have been changed by other means since: bring them to its begin or its end, ` +
      'say which in public._prisma_migrations (rolled_back_at, or finished_at), and run npm run db:migrate',
  )
}

/** The statements that an interrupted migration lacks. */
const remaining = async (run: RunSql, name: string): Promise<string[]> => {
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
  const transactions = records.size === 0 ? [missing] : missing.map(name => [name])
  for (const names of transactions)
    await inTransaction(run, async () => {
      for (const name of names) await apply(run, name, records.has(name))
    })
  return missing
}
