/**
 * Copy of all rows of one database to another of the same migrations, on PostgreSQL or embedded: every value as the text that
 * PostgreSQL writes and reads, so that no number passes through this program's. At the end both are compared.
 */
import { SetupError } from '../errors/catalogue.ts'

/** One session of a database, whose statements stand in one transaction; values are texts. */
export interface CopySession {
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, string | null>[]>
}

interface Column {
  readonly name: string
  readonly type: string
}

interface Table {
  /** With its schema, quoted. */
  readonly name: string
  readonly columns: readonly Column[]
  /** Tables that its foreign keys name. */
  readonly needs: readonly string[]
}

/** Rows of a batch: few enough for memory, where each has a few KiB. */
const BATCH = 1_000

/** Everything that PostgreSQL's texts depend on. */
const TEXT_FORM = `SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`

const OWN_SCHEMAS = `n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname !~ '^pg_'
  AND c.relname <> '_prisma_migrations'`

const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name,
    (SELECT json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')::text AS columns,
    (SELECT coalesce(json_agg(format('%I.%I', rn.nspname, rc.relname)), '[]')
      FROM pg_constraint f JOIN pg_class rc ON rc.oid = f.confrelid JOIN pg_namespace rn ON rn.oid = rc.relnamespace
      WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid)::text AS needs
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${OWN_SCHEMAS} ORDER BY 1`

/** Partitions are made by servers, day by day, and are in no migration. */
const PARTITIONS = `SELECT format('CREATE TABLE IF NOT EXISTS %I.%I PARTITION OF %s %s', n.nspname, c.relname,
    i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relispartition AND c.relkind = 'r' ORDER BY 1`

const SEQUENCES = `SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'S' AND ${OWN_SCHEMAS} ORDER BY 1`

/** A table after those that its foreign keys name. */
const inOrder = (tables: readonly Table[]): Table[] => {
  const done = new Map<string, Table>()
  const add = (table: Table) => {
    if (done.has(table.name)) return
    for (const other of tables) if (table.needs.includes(other.name)) add(other)
    done.set(table.name, table)
  }
  tables.forEach(add)
  return [...done.values()]
}

const readTables = async (session: CopySession): Promise<Table[]> =>
  inOrder(
    (await session.query(TABLES)).map(({ name, columns, needs }) => ({
      name: name!,
      columns: JSON.parse(columns!),
      needs: JSON.parse(needs!),
    })),
  )

const isFilled = async (session: CopySession, { name }: Table): Promise<boolean> =>
  (await session.query(`SELECT 1 AS one FROM ${name} LIMIT 1`)).length > 0

/** Tables in which migrations write rows by themselves, which those of the other database take the place of. */
const BY_MIGRATIONS = /^(activity|charging|books)\.|^access\.served_from$/

/** @throws SetupError where the target has rows that no migration wrote. */
const clear = async (target: CopySession, tables: readonly Table[]): Promise<void> => {
  for (const table of tables.toReversed()) {
    if (!(await isFilled(target, table))) continue
    if (!BY_MIGRATIONS.test(table.name))
      throw new SetupError(
        `The other database is not empty: it has rows in ${table.name}. Name an empty one.`,
      )
    await target.query(`DELETE FROM ${table.name}`)
  }
}

const insertOf = ({ name, columns }: Table): string => {
  const names = columns.map(column => column.name).join(', ')
  const values = columns.map((column, index) => `v.c${index}::${column.type}`).join(', ')
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const aliases = columns.map((_, index) => `c${index}`).join(', ')
  return `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM unnest(${arrays}) AS v (${aliases})`
}

const copyTable = async (
  source: CopySession,
  target: CopySession,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> => {
  const texts = table.columns.map(({ name }, index) => `t.${name}::text AS c${index}`).join(', ')
  await source.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${texts} FROM ${table.name} t`)
  const insert = insertOf(table)
  for (;;) {
    const rows = await source.query(`FETCH ${BATCH} FROM copied`)
    if (rows.length === 0) break
    await target.query(
      insert,
      table.columns.map((_, index) => rows.map(row => row[`c${index}`] ?? null)),
    )
    onRows(rows.length)
  }
  await source.query('CLOSE copied')
}

interface SequenceState {
  readonly name: string
  readonly value: string
  readonly isCalled: string
}

const readSequences = async (session: CopySession): Promise<SequenceState[]> => {
  const states: SequenceState[] = []
  for (const { name } of await session.query(SEQUENCES)) {
    const [row] = await session.query(
      `SELECT last_value::text AS value, is_called::text AS called FROM ${name}`,
    )
    states.push({ name: name!, value: row!['value']!, isCalled: row!['called']! })
  }
  return states
}

/** Number of rows of a table, and a sum over the texts of all of them that does not depend on their order. */
const DIGEST = (table: string) => `SELECT count(*)::text AS rows,
  coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint), 0)::text AS digest FROM ${table} t`

/** Contents of a database: of each table its rows and their digest, and where each sequence is. */
const digestOf = async (session: CopySession, tables: readonly Table[]): Promise<Map<string, string>> => {
  const digests = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await session.query(DIGEST(name))
    digests.set(name, `${row!['rows']} rows, ${row!['digest']}`)
  }
  for (const { name, value, isCalled } of await readSequences(session))
    digests.set(name, `${value} ${isCalled}`)
  return digests
}

/** Names tables and sequences that differ. */
export async function differencesBetween(source: CopySession, target: CopySession): Promise<string[]> {
  const tables = await readTables(source)
  const [theirs, ours] = [await digestOf(source, tables), await digestOf(target, tables)]
  return [...theirs].filter(([name, digest]) => ours.get(name) !== digest).map(([name]) => name)
}

/** Extent of a copy. */
export interface Copied {
  readonly tables: number
  readonly rows: number
  readonly sequences: number
}

/**
 * Copies everything, compares, and leaves the commit to the caller. Both sessions are in a transaction; that of the source
 * sees one moment.
 * @throws SetupError where the target is not empty; Error naming the tables where both differ in the end.
 */
export async function copyRows(
  source: CopySession,
  target: CopySession,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Copied> {
  for (const session of [source, target])
    for (const setting of TEXT_FORM.split(';')) await session.query(setting)
  const tables = await readTables(source)
  await clear(target, tables)
  for (const { statement } of await source.query(PARTITIONS)) await target.query(statement!)
  let [done, total] = [0, 0]
  for (const { name } of tables)
    total += Number((await source.query(`SELECT count(*)::text AS rows FROM ${name}`))[0]!['rows'])
  for (const table of tables)
    await copyTable(source, target, table, rows => {
      done += rows
      onProgress(done, total)
    })
  const sequences = await readSequences(source)
  for (const { name, value, isCalled } of sequences)
    await target.query(`SELECT setval('${name}', ${value}, ${isCalled})::text AS value`)
  const different = await differencesBetween(source, target)
  if (different.length > 0) throw new Error(`The copy differs from the original in ${different.join(', ')}`)
  return { tables: tables.length, rows: done, sequences: sequences.length }
}
