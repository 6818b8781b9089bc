/**
 * The layout on Citus: each schema stands whole on one node, with its sequence beside the table that it numbers, so that both
 * commit at one instant. What every service reads is copied to all nodes. Laying out can be repeated, and goes on where it
 * was broken off.
 */
import type { Config } from '#core/config/config.ts'
import { VERSION } from '#core/config/project-files.ts'
import { openDatabase } from '#core/data/db.ts'
import { type RunSql, schemaState } from '#core/data/migrations.ts'
import { advisoryLocksOn, onMigratingConnection } from '#core/data/postgres.ts'
import { SetupError } from '#core/errors/catalogue.ts'

/** Schemas whose tables are copied to all nodes: small, read by all, rarely written. */
const COPIED = ['access', 'analytics', 'directory']
/** Of these, tables that sign-ins write: to write them on every node would let none sign in while one is away. */
const KEPT = ['access.secret_failure', 'access.used_assertion']
/** Of `public` the records of migrations alone, by which a process knows its schema. */
const MIGRATIONS = 'public._prisma_migrations'
/** The schema of the table by which earlier versions knew the sequences; nothing of it is used any more. */
const FORMER_BOOKS = 'books'
/** The migration after which versions write each sequence beside its table. */
const BOOKS_BESIDE_TABLES = '20261125120000_books_beside_tables'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const list = (names: readonly string[]) => names.map(quoted).join(', ')

const texts = async (run: RunSql, sql: string): Promise<string[]> =>
  (await run(sql)).map(row => String(Object.values(row)[0]))

const isTrue = async (run: RunSql, condition: string): Promise<boolean> =>
  (await run(`SELECT (${condition}) AS found`))[0]!['found'] === true

/** @throws SetupError where the server is no coordinator of Citus with other nodes that answer. */
async function checkCitus(run: RunSql): Promise<void> {
  if (!(await isTrue(run, `EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`))) {
    const available = `EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus')`
    throw new SetupError(
      (await isTrue(run, available))
        ? 'The database has no Citus extension: run CREATE EXTENSION citus in it on every node'
        : 'The server of DATABASE_URL has no Citus: install the extension on every node, name it in shared_preload_libraries and restart them',
    )
  }
  if (!(await isTrue(run, '(SELECT groupid FROM pg_dist_local_group) = 0')))
    throw new SetupError('DATABASE_URL names a worker of Citus: give it the address of the coordinator')
  const workers = `EXISTS (SELECT FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary' AND isactive)`
  if (!(await isTrue(run, workers)))
    throw new SetupError(
      `The coordinator knows no worker: run SELECT citus_set_coordinator_host('<its address>', <port>), and SELECT citus_add_node('<address>', <port>) for each node that has this database with the extension`,
    )
  const silent = await texts(
    run,
    `SELECT nodename || ':' || nodeport FROM run_command_on_all_nodes('SELECT 1') r JOIN pg_dist_node n USING (nodeid)
     WHERE NOT r.success ORDER BY 1`,
  )
  if (silent.length > 0)
    throw new SetupError(
      `These nodes of Citus do not answer: ${silent.join(', ')}; start them, and run this again`,
    )
}

/** @throws SetupError where the database is not at this version's schema. */
async function checkMigrated(config: Config): Promise<void> {
  const database = await openDatabase(config)
  try {
    const { pending } = await schemaState(database.db)
    if (pending.length > 0)
      throw new SetupError(`The database lacks ${pending.length} migration(s): run npm run db:migrate first`)
  } finally {
    await database.close()
  }
}

/** Lists the sequences that are still parts of the one table of earlier versions. */
const attachedBooks = (run: RunSql) =>
  texts(
    run,
    `SELECT inhrelid::regclass::text FROM pg_inherits
     WHERE inhparent = to_regclass('books.book') AND inhrelid <> to_regclass('books.other') ORDER BY 1`,
  )

/**
 * Separates the sequences from the table of earlier versions, which therefore cannot serve the database any more: that is
 * recorded in the same transaction.
 * @throws SetupError naming sequences that have no table beside the one they number.
 */
async function detachBooks(run: RunSql): Promise<string[]> {
  const books = await attachedBooks(run)
  if (books.length === 0) return []
  const others = await texts(run, 'SELECT DISTINCT name FROM books.other ORDER BY 1')
  if (others.length > 0)
    throw new SetupError(
      `The sequences of ${others.join(', ')} stand in books.other: give each a table in its own schema first (docs/adding-a-service.md, "4. The table")`,
    )
  const detached = books.map(book => `ALTER TABLE books.book DETACH PARTITION ${book};`).join('\n')
  await run(`BEGIN; ${detached}
    INSERT INTO access.served_from (migration, version) VALUES (${quoted(BOOKS_BESIDE_TABLES)}, ${quoted(VERSION)})
    ON CONFLICT (migration) DO UPDATE SET version = excluded.version; COMMIT`)
  return books
}

/** Copies the functions that statements call to all nodes, in the order in which they were made, since one calls another. */
const copyFunctions = async (run: RunSql): Promise<void> => {
  const functions = await texts(
    run,
    `SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname IN (SELECT table_schema FROM information_schema.tables WHERE table_schema !~ '^(pg_|information_schema|public|citus|columnar)')
       AND p.prorettype <> 'trigger'::regtype
       AND NOT EXISTS (SELECT FROM pg_dist_object d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid) ORDER BY p.oid`,
  )
  for (const one of functions) await run(`SELECT create_distributed_function(${quoted(one)})::text AS done`)
}

interface Copied {
  readonly table: string
  /** The tables that its foreign keys name. */
  readonly needs: readonly string[]
}

const tablesToCopy = async (run: RunSql): Promise<Copied[]> => {
  const rows = await run(`
    SELECT c.oid::regclass::text AS table, coalesce((SELECT json_agg(DISTINCT f.confrelid::regclass::text)
      FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid), '[]')::text AS needs
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c.oid::regclass::text NOT IN (${list(KEPT)}) AND (n.nspname IN (${list(COPIED)}) OR c.oid = to_regclass(${quoted(MIGRATIONS)}))
      AND NOT EXISTS (SELECT FROM citus_tables t WHERE t.table_name = c.oid AND t.citus_table_type = 'reference')
    ORDER BY 1`)
  return rows.map(({ table, needs }) => ({ table: String(table), needs: JSON.parse(String(needs)) }))
}

/** Orders tables so that each comes after those that its foreign keys name. */
const inOrder = (tables: readonly Copied[]): string[] => {
  const left = new Map(tables.map(one => [one.table, one]))
  const ordered: string[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(({ needs }) => !needs.some(name => left.has(name)))
    if (!next) throw new Error('Foreign keys name each other in a circle')
    left.delete(next.table)
    ordered.push(next.table)
  }
  return ordered
}

/** Removes the rows that stayed behind where a table was taken to other nodes. */
const forgetLocal = async (run: RunSql, table: string): Promise<void> => {
  if (!(await isTrue(run, `pg_relation_size(${quoted(table)}::regclass) > 0`))) return
  await run(`SELECT truncate_local_data_after_distributing_table(${quoted(table)})::text AS done`)
}

/** Takes schemas together again that an earlier version put on one node each. */
const takeBack = async (run: RunSql): Promise<void> => {
  const placed = `SELECT schemaid::regnamespace::text FROM pg_dist_schema WHERE schemaid::regnamespace::text IN (${list(COPIED)})`
  for (const schema of await texts(run, placed))
    await run(`SELECT citus_schema_undistribute(${quoted(schema)})::text AS done`)
}

const copyTables = async (run: RunSql): Promise<string[]> => {
  await takeBack(run)
  const tables = inOrder(await tablesToCopy(run))
  for (const table of tables) await run(`SELECT create_reference_table(${quoted(table)})::text AS done`)
  for (const table of tables) await forgetLocal(run, table)
  return tables
}

/** A schema of the program's tables. */
interface Schema {
  readonly name: string
  readonly hasTriggers: boolean
  readonly isLaidOut: boolean
}

const readSchemas = async (run: RunSql): Promise<Schema[]> => {
  const rows = await run(`
    SELECT n.nspname::text AS name,
      bool_or(EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal)) AS triggers,
      EXISTS (SELECT FROM pg_dist_schema s WHERE s.schemaid = n.oid) AS "laidOut"
    FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p')
    WHERE n.nspname !~ '^(pg_|information_schema$|public$|citus|columnar)'
      AND n.nspname NOT IN (${list([...COPIED, FORMER_BOOKS])})
    GROUP BY n.oid, n.nspname ORDER BY 1`)
  return rows.map(({ name, triggers, laidOut }) => ({
    name: String(name),
    hasTriggers: triggers === true,
    isLaidOut: laidOut === true,
  }))
}

const distribute = async (run: RunSql, { name }: Schema): Promise<void> => {
  await run(`SELECT citus_schema_distribute(${quoted(name)})::text AS done`)
  const tables = await texts(
    run,
    `SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace = ${quoted(name)}::regnamespace
     AND c.relkind = 'r' AND NOT c.relispartition AND EXISTS (SELECT FROM citus_tables t WHERE t.table_name = c.oid)`,
  )
  for (const table of tables) await forgetLocal(run, table)
}

const nodeOf = async (run: RunSql, schema: string): Promise<string> => {
  const [node] = await texts(
    run,
    `SELECT DISTINCT nodename || ':' || nodeport FROM citus_shards s JOIN pg_class c ON c.oid = s.table_name
     WHERE c.relnamespace = ${quoted(schema)}::regnamespace`,
  )
  return node ?? 'no node, since it has no table'
}

/**
 * Ends the connections of servers that run: what they have prepared was planned for tables of this server. They connect again
 * by themselves, and repeat what was not committed.
 */
const endConnections = (run: RunSql) =>
  run(`SELECT count(pg_terminate_backend(pid)) AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'partner-graph' AND pid <> pg_backend_pid()`)

/**
 * Lays the schemas out over the nodes.
 * @param tell is told what was done, and what was there already, a line each.
 * @throws SetupError naming what is missing.
 */
export async function layOut(run: RunSql, tell: (line: string) => void): Promise<void> {
  await checkCitus(run)
  const books = await detachBooks(run)
  if (books.length > 0)
    tell(
      `separated ${books.join(', ')} from books.book: versions before ${VERSION} cannot serve this database`,
    )
  await copyFunctions(run)
  const copied = await copyTables(run)
  tell(copied.length > 0 ? `copied to every node: ${copied.join(', ')}` : 'nothing to copy to every node')
  tell(`${KEPT.join(', ')}: stay on the coordinator, since sign-ins write them`)
  const schemas = await readSchemas(run)
  for (const schema of schemas) {
    const { name, hasTriggers, isLaidOut } = schema
    if (!isLaidOut && !hasTriggers) await distribute(run, schema)
    if (hasTriggers)
      tell(`${name}: stays on the coordinator, since Citus distributes no table with a trigger`)
    else tell(`${name}: ${isLaidOut ? 'is already' : 'now'} on ${await nodeOf(run, name)}`)
  }
  const hasChanged =
    books.length + copied.length > 0 || schemas.some(one => !one.isLaidOut && !one.hasTriggers)
  if (hasChanged) await endConnections(run)
}

/** Lays the schemas of the configured PostgreSQL out over the nodes of Citus, while nobody migrates it. */
export async function layOutPostgres(config: Config, tell: (line: string) => void): Promise<void> {
  const { databaseUrl } = config
  await checkMigrated(config)
  const lock = advisoryLocksOn(databaseUrl)
  const wait = () => tell('waiting for another process that migrates')
  await lock('migrations', () => onMigratingConnection(databaseUrl, run => layOut(run, tell)), wait)
}
