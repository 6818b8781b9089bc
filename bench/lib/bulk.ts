/** Tables filled in bulk: without indexes, which are made at once at the end. */
import pg from 'pg'

/** A table, and the statements that fill it. */
export interface Bulk {
  readonly table: string
  readonly statements: readonly string[]
}

export interface BulkOptions {
  /** How many tables at a time, each over a connection of its own. */
  readonly parallel: number
  /** Tables that are only read from then on need no log that nobody would recover from. */
  readonly unlogged: boolean
}

const SETTINGS = `SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 2; SET jit = off`

const indexesOf = async (sql: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await sql.query<{ definition: string }>(
    `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = $1::regclass`,
    [table],
  )
  return rows.map(({ definition }) => definition)
}

/** A key is made again as a unique index: to read by it is the same. */
const dropIndexes = async (sql: pg.Client, table: string) => {
  await sql.query(`DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'p' LOOP
      EXECUTE 'ALTER TABLE ${table} DROP CONSTRAINT ' || quote_ident(one.conname); END LOOP;
    FOR one IN SELECT indexrelid::regclass AS name FROM pg_index WHERE indrelid = '${table}'::regclass LOOP
      EXECUTE 'DROP INDEX ' || one.name; END LOOP; END $$`)
}

const fillTable = async (sql: pg.Client, { table, statements }: Bulk, unlogged: boolean) => {
  const indexes = await indexesOf(sql, table)
  if (unlogged) await sql.query(`ALTER TABLE ${table} SET UNLOGGED`)
  await dropIndexes(sql, table)
  for (const statement of statements) await sql.query(statement)
  for (const definition of indexes) await sql.query(definition)
  await sql.query(`VACUUM ANALYZE ${table}`)
}

const fillEach = async (url: string, left: Iterable<Bulk>, unlogged: boolean) => {
  const sql = new pg.Client(url)
  await sql.connect()
  try {
    await sql.query(SETTINGS)
    for (const bulk of left) await fillTable(sql, bulk, unlogged)
  } finally {
    await sql.end()
  }
}

/** Fills tables, and has their statistics taken. No connection is left when it fails. */
export async function fillInBulk(
  url: string,
  bulks: readonly Bulk[],
  { parallel, unlogged }: BulkOptions,
): Promise<void> {
  const left = bulks.values()
  const fills = Array.from({ length: parallel }, () => fillEach(url, left, unlogged))
  const failed = (await Promise.allSettled(fills)).find(one => one.status === 'rejected')
  if (failed) throw failed.reason
}
