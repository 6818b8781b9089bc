/**
 * Embedded databases in memory for the tests of one worker, which take one, give it back and take it again: emptying
 * one takes a tenth of the time that making one takes. One whose tables were changed is not used again.
 */
import { PGlite } from '@electric-sql/pglite'
import { type Config, readConfig } from '#core/config/config.ts'
import { dayOf, makePartitions } from '#core/data/day-partitions.ts'
import { type Database, type Db, embeddedDatabase, MEMORY, openDatabase } from '#core/data/db.ts'
import { loadTemplate } from '#core/data/embedded.ts'
import { REQUEST_TABLE } from '#core/requests/table.ts'
import { seedDemo } from '#prisma/demo/seed.ts'
import { writeDemo } from './demo.ts'

/** Rows of all tables, as COPY writes them, and where the sequences of their columns stand. */
interface Contents {
  readonly tables: readonly { readonly table: string; readonly rows: Blob }[]
  readonly sequences: readonly { readonly sequence: string; readonly value: string }[]
}

const TABLES = `
  SELECT quote_ident(nspname) || '.' || quote_ident(relname) AS table
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND relname <> '_prisma_migrations'`

const SEQUENCES = `
  SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename) AS sequence, last_value::text AS value
  FROM pg_sequences WHERE last_value IS NOT NULL`

/** Columns, constraints, triggers, indexes and functions, in one word. */
const SHAPE = `
  WITH own AS (SELECT oid FROM pg_namespace WHERE nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')),
  tables AS (SELECT oid FROM pg_class WHERE relnamespace IN (SELECT oid FROM own)),
  parts AS (
    SELECT (attrelid, attname, atttypid, attnotnull, attisdropped)::text AS part FROM pg_attribute
      WHERE attrelid IN (SELECT oid FROM tables)
    UNION ALL SELECT (oid, tgname, tgenabled)::text FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM tables)
    UNION ALL SELECT (oid, conname)::text FROM pg_constraint WHERE connamespace IN (SELECT oid FROM own)
    UNION ALL SELECT (oid, proname)::text FROM pg_proc WHERE pronamespace IN (SELECT oid FROM own))
  SELECT md5(string_agg(part, ',' ORDER BY part)) AS shape FROM parts`

const shapeOf = async (pglite: PGlite): Promise<string> =>
  (await pglite.query<{ shape: string }>(SHAPE)).rows[0]!.shape

const namesOf = async (pglite: PGlite, statement: string): Promise<string[]> =>
  (await pglite.query<{ table: string }>(statement)).rows.map(({ table }) => table)

/** Names the tables that have rows; asking for their sizes takes four times as long. */
const filledTables = async (pglite: PGlite): Promise<string[]> => {
  const tables = await namesOf(pglite, TABLES)
  const filled = tables.map(table => `SELECT '${table}' AS table WHERE EXISTS (SELECT FROM ${table})`)
  return namesOf(pglite, filled.join(' UNION ALL '))
}

const empty = async (pglite: PGlite): Promise<void> => {
  const tables = await filledTables(pglite)
  await pglite.exec('DISCARD ALL')
  if (tables.length === 0) return
  // Without triggers: one of them refuses that rows are removed.
  await pglite.exec('SET session_replication_role = replica')
  await pglite.exec(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY CASCADE`)
  await pglite.exec('SET session_replication_role = DEFAULT')
}

const copyAll = async (pglite: PGlite): Promise<Contents> => {
  const tables = []
  for (const table of await filledTables(pglite))
    tables.push({ table, rows: (await pglite.query(`COPY ${table} TO '/dev/blob'`)).blob! })
  const { rows: sequences } = await pglite.query<Contents['sequences'][number]>(SEQUENCES)
  return { tables, sequences }
}

/** Without looking at foreign keys, so that no order matters. */
const fill = async (pglite: PGlite, { tables, sequences }: Contents): Promise<void> => {
  await pglite.exec('SET session_replication_role = replica')
  for (const { table, rows } of tables)
    await pglite.query(`COPY ${table} FROM '/dev/blob'`, [], { blob: rows })
  for (const { sequence, value } of sequences)
    await pglite.query('SELECT setval($1::text::regclass, $2::bigint)', [sequence, value])
  await pglite.exec('SET session_replication_role = DEFAULT')
}

interface Instance {
  readonly pglite: PGlite
  readonly shape: string
}

const idle: Instance[] = []
/** More than one worker's files use at a time. */
const MAX_IDLE = 3

/** Rows that migrations write. */
let migrated: Contents | undefined

/** Makes the partitions that servers would make: a database whose tables were changed is not used again. */
const addPartitions = async (pglite: PGlite): Promise<void> => {
  const { db, close } = await embeddedDatabase(pglite, async () => undefined)
  const today = dayOf(Date.now())
  await makePartitions(db, REQUEST_TABLE, [today, today + 1, today + 2])
  await close()
}

const create = async (): Promise<Instance> => {
  const pglite = await PGlite.create({ loadDataDir: await loadTemplate() })
  await addPartitions(pglite)
  migrated ??= await copyAll(pglite)
  return { pglite, shape: await shapeOf(pglite) }
}

const giveBack = async (instance: Instance): Promise<void> => {
  const { pglite, shape } = instance
  const usable = idle.length < MAX_IDLE && (await shapeOf(pglite)) === shape
  if (!usable) return pglite.close()
  await empty(pglite)
  await fill(pglite, migrated!)
  idle.push(instance)
}

/** The instance for as long as it is lent; what comes after fails as on one that is closed. */
const lend = (pglite: PGlite) => {
  let lent = true
  const lease = new Proxy(pglite, {
    get(target, name) {
      if (!lent) throw new Error('PGlite is closed')
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const end = () => {
    lent = false
  }
  return { lease, end }
}

/** By client: servers wrap the database that they open, and keep its client. */
const instances = new WeakMap<Db, PGlite>()

/** Opens the database as the product does, except one in memory, which is one that was used before. */
export async function openPooled(config: Config): Promise<Database> {
  if (config.databaseUrl !== undefined || config.dataDir !== MEMORY) return openDatabase(config)
  const instance = idle.pop() ?? (await create())
  const { lease, end } = lend(instance.pglite)
  const database = await embeddedDatabase(lease, async () => {
    end()
    await giveBack(instance)
  })
  instances.set(database.db, instance.pglite)
  return database
}

/** An empty one, without the demo. */
export const openEmpty = (): Promise<Database> => openPooled(readConfig({ DATA_DIR: MEMORY }))

/** The demo as it was written once, with the few rows that stood there before. */
interface Demo {
  readonly before: readonly string[]
  readonly contents: Contents
}

const demos = new Map<string, Demo>()

/** Takes few rows out of a database; emptying whole tables takes longer. */
const remove = async (pglite: PGlite, tables: readonly string[]): Promise<void> => {
  const statements = tables.map(table => `DELETE FROM ${table};`).join('')
  await pglite.exec(
    `SET session_replication_role = replica; ${statements} SET session_replication_role = DEFAULT`,
  )
}

/** Puts the demo into a database: written once, and copied from then on. */
export async function seedPooled(database: Database, config: Config): Promise<void> {
  const pglite = instances.get(database.db)
  if (config.dataDir === MEMORY && !pglite)
    throw new Error(
      'The instance of a database in memory is not known: its client is not the one that was opened',
    )
  if (!pglite) return seedDemo(database, config)
  const key = `${config.demo} ${config.countryCode} ${config.timezone}`
  const demo = demos.get(key)
  if (demo) {
    await remove(pglite, demo.before)
    return fill(pglite, demo.contents)
  }
  const before = await filledTables(pglite)
  await writeDemo(database, config)
  demos.set(key, { before, contents: await copyAll(pglite) })
}
