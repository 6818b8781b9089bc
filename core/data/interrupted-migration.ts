/** Migrations that an earlier version of the program began and did not finish: how far each came shows in the tables. */
import { PGlite } from '@electric-sql/pglite'
import { SetupError } from '../errors/catalogue.ts'
import { inOneTransaction, type MigrationSource, onPglite, type RunSql, statementsOf } from './migrations.ts'

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
const replay = async ({ names, read }: MigrationSource, name: string): Promise<Shape[]> => {
  await using pglite = await PGlite.create()
  const run = onPglite(pglite)
  for (const before of names.filter(one => one < name)) await run(inOneTransaction(read(before)))
  const shapes = [await shapeOf(run)]
  for (const statement of statementsOf(inOneTransaction(read(name)))) {
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
export async function countDone(run: RunSql, source: MigrationSource, name: string): Promise<number> {
  const shapes = await replay(source, name)
  const touched = touchedBy(shapes)
  const found = (await shapeOf(run)).intersection(touched)
  const done = shapes.findIndex(shape => isEqual(shape.intersection(touched), found))
  if (done >= 0) return done
  throw new SetupError(
    `Migration ${name} was interrupted, and the tables have been changed by other means since: bring them to its begin or its end, ` +
      'say which in public._prisma_migrations (rolled_back_at, or finished_at), and run npm run db:migrate',
  )
}
