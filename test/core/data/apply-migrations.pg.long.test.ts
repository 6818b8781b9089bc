/** Migrations that are cut at whatever statement: the next run goes on, and Prisma's own tools find what they expect. */
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyMigrations } from '#core/data/apply-migrations.ts'
import { migrationNames, onPglite, type RunSql, readMigration, statementsOf } from '#core/data/migrations.ts'
import { createEmpty } from '#test/support/postgres.ts'
import { onPostgres } from './opened.ts'

const LONG_MS = 120_000
const NAMES = migrationNames()

/** A connection to a database, that can be cut. */
interface Line {
  readonly run: RunSql
  /** Resolves once the database has taken back what was not committed. */
  cut(): Promise<void>
}

interface Place {
  connect(): Promise<Line>
  readonly adapter: SqlMigrationAwareDriverAdapterFactory
  drop(): Promise<void>
}

const connectTo = async (connectionString: string): Promise<Line> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  const ended = new Promise<void>(done => client.once('end', done))
  return {
    run: async sql => {
      const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
    },
    cut: () => {
      Reflect.get(Reflect.get(client, 'connection'), 'stream').destroy()
      return ended
    },
  }
}

const openPlace = async (): Promise<Place> => {
  if (onPostgres) {
    const { url, drop } = await createEmpty()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    return { connect: () => connectTo(url), adapter: new PrismaPg(pool), drop: () => pool.end().then(drop) }
  }
  const pglite = await PGlite.create()
  const run = onPglite(pglite)
  return {
    connect: async () => ({ run, cut: () => run('ROLLBACK').then(() => undefined) }),
    adapter: new PrismaPGlite(pglite),
    drop: () => pglite.close(),
  }
}

/** Applies by Prisma's engine; the names that it says it applied. */
const applyByPrisma = async (adapter: Place['adapter'], names: readonly string[]): Promise<string[]> => {
  const silent = () => undefined
  const engine = await SchemaEngine.new(
    { datamodels: undefined },
    silent,
    bindMigrationAwareSqlAdapterFactory(adapter),
  )
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: {
        baseDir: join(import.meta.dirname, '../../../prisma/migrations'),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"' },
        shadowDbInitScript: '',
        migrationDirectories: names.map(name => ({
          path: name,
          migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: readMigration(name) } },
        })),
      },
      filters: { externalTables: [], externalEnums: [] },
    })
    return appliedMigrationNames
  } finally {
    engine.free()
  }
}

class Cut extends Error {}

/** Sends statements one by one, and is cut in place of the one with this number. */
const cutAt = (line: Line, number: number): { run: RunSql; wasCut(): boolean } => {
  let sent = 0
  const run: RunSql = async sql => {
    let rows: Awaited<ReturnType<RunSql>> = []
    for (const statement of statementsOf(sql)) {
      if (sent++ >= number) {
        await line.cut()
        throw new Cut()
      }
      rows = await line.run(statement)
    }
    return rows
  }
  return { run, wasCut: () => sent > number }
}

const RECORDS = `SELECT migration_name AS name, checksum, applied_steps_count AS steps, finished_at IS NOT NULL AS finished,
    rolled_back_at, logs FROM public._prisma_migrations ORDER BY started_at`
const TABLE = `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
  FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`
const RELATIONS = `SELECT nspname || '.' || relname AS name, array_agg(attname ORDER BY attname)::text AS columns
  FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' GROUP BY 1 ORDER BY 1`

const recordsOf = async ({ run }: Line) => {
  const [table] = await run(`SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS found`)
  return table!['found'] ? await run(RECORDS) : []
}

/** Runs again and again, each cut `step` statements after the one before, until one comes to its end. */
const applyCutting = async ({ connect }: Place, step: number, onCut: (line: Line) => Promise<void>) => {
  let [number, recorded] = [0, 0]
  for (;;) {
    const line = await connect()
    const { run, wasCut } = cutAt(line, number)
    const result = await applyMigrations(run).catch((error: unknown) => error)
    if (!wasCut()) {
      await line.cut()
      return result
    }
    expect(result).toBeInstanceOf(Cut)
    const after = await connect()
    const now = (await recordsOf(after)).length
    await onCut(after)
    await after.cut()
    number = now > recorded ? 0 : number + step
    recorded = now
  }
}

let [place, whole]: Place[] = []
/** Left by an undisturbed run. */
let relations: unknown
let records: unknown

beforeAll(async () => {
  whole = await openPlace()
  const line = await whole.connect()
  expect(await applyMigrations(line.run)).toEqual(NAMES)
  relations = await line.run(RELATIONS)
  records = await line.run(RECORDS)
  await line.cut()
  place = await openPlace()
}, LONG_MS)
afterAll(async () => {
  await place?.drop()
  await whole?.drop()
})

const expectWhole = async ({ connect }: Place) => {
  const line = await connect()
  expect(await line.run(RELATIONS)).toEqual(relations)
  expect(await line.run(RECORDS)).toEqual(records)
  await line.cut()
}

it(
  'MIGRATE-01 MUST leave each migration whole or undone with its record, wherever it is cut, and go on',
  async () => {
    // Prisma's own table and record, from which each of the others commits by itself.
    expect(await applyByPrisma(place!.adapter, NAMES.slice(0, 1))).toEqual(NAMES.slice(0, 1))
    let cuts = 0
    await applyCutting(place!, 1, async line => {
      cuts++
      const found = await recordsOf(line)
      expect(found.filter(({ finished }) => !finished)).toEqual([])
      expect(found.map(({ name }) => name)).toEqual(NAMES.slice(0, found.length))
    })
    expect(cuts).toBeGreaterThan(100)
    await expectWhole(place!)
  },
  LONG_MS,
)

it(
  'MIGRATE-02 MUST leave an empty database empty, wherever its first set-up is cut',
  async () => {
    const empty = await openPlace()
    await applyCutting(empty, 31, async ({ run }) => {
      const made = (await run(RELATIONS)).filter(({ name }) => !String(name).includes('_prisma_migrations'))
      expect(made).toEqual([])
    })
    await expectWhole(empty)
    await empty.drop()
  },
  LONG_MS,
)

it('MIGRATE-03 MUST keep the records as Prisma writes and reads them', async () => {
  const [ours, theirs] = [await whole!.connect(), await place!.connect()]
  expect(await ours.run(TABLE)).toEqual(await theirs.run(TABLE))
  expect(await applyByPrisma(whole!.adapter, NAMES)).toEqual([])
  expect(await recordsOf(ours)).toEqual(records)
  await ours.cut()
  await theirs.cut()
})

it('MIGRATE-04 MUST tell a migration that fails by its name, and keep nothing of it', async () => {
  const line = await whole!.connect()
  const last = NAMES.at(-1)!
  await line.run(`DELETE FROM public._prisma_migrations WHERE migration_name = '${last}'`)
  await expect(applyMigrations(line.run)).rejects.toThrow(
    `Migration ${last} failed, and the database is as it was before it: `,
  )
  expect((await recordsOf(line)).map(({ name }) => name)).toEqual(NAMES.slice(0, -1))
  await line.cut()
})

it(
  'MIGRATE-05 MUST find out how far a migration came that was committed statement by statement, and go on from there',
  async () => {
    const [name] = NAMES.filter(one => one.endsWith('_settle_in_place'))
    const statements = statementsOf(readMigration(name!))
    for (const done of [2, statements.length]) {
      const begun = await openPlace()
      const { run, cut } = await begun.connect()
      await applyByPrisma(begun.adapter, NAMES.slice(0, NAMES.indexOf(name!)))
      await run(
        `INSERT INTO public._prisma_migrations (id, checksum, migration_name) VALUES ('begun', 'x', '${name}')`,
      )
      await run(`CREATE INDEX an_operators_own ON postpaid.payment (created_at)`)
      for (const statement of statements.slice(0, done)) await run(statement)
      const pending = NAMES.slice(NAMES.indexOf(name!))
      expect(await applyMigrations(run)).toEqual(pending)
      await run(`DROP INDEX postpaid.an_operators_own`)
      await run(`DELETE FROM public._prisma_migrations WHERE rolled_back_at IS NOT NULL`)
      await cut()
      await expectWhole(begun)
      await begun.drop()
    }
  },
  LONG_MS,
)

it(
  'MIGRATE-06 MUST say what to do where the tables were changed by other means since',
  async () => {
    const [name] = NAMES.filter(one => one.endsWith('_settle_in_place'))
    const line = await place!.connect()
    await line.run(`UPDATE public._prisma_migrations SET finished_at = NULL WHERE migration_name = '${name}'`)
    await line.run(`DROP TABLE charging.set_aside`)
    await expect(applyMigrations(line.run)).rejects.toThrow(/was interrupted.*_prisma_migrations/)
    await line.cut()
  },
  LONG_MS,
)
