/** Migrations on tables in use: they give way to whoever holds a lock, go on afterwards, and in steps lock nobody out. */
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type AppliedMigration, type ApplyOptions, applyMigrations } from '#core/data/apply-migrations.ts'
import { type MigrationSource, ownMigrations, type RunSql } from '#core/data/migrations.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { createEmpty, createScratch, type Scratch } from '#test/support/postgres.ts'
import { onPostgres } from './opened.ts'

const LATER = '29990101000000_later'

/** This version's migrations, and one that comes later. */
const withLater = (sql: string): MigrationSource => {
  const { names, read } = ownMigrations()
  return { names: [...names, LATER], read: name => (name === LATER ? sql : read(name)) }
}

const ADD_COLUMN = '-- expand\nALTER TABLE "postpaid"."payment" ADD COLUMN "later" TEXT;\n'

describe.runIf(onPostgres)('a migration', () => {
  const toEnd: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of toEnd.splice(0).toReversed()) await end()
  })

  const open = async (create: () => Promise<Scratch> = createScratch) => {
    const { url, drop } = await create()
    toEnd.push(drop)
    return url
  }

  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString, application_name: 'a test' })
    await client.connect()
    toEnd.push(() => client.end())
    const run: RunSql = async sql => {
      const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
    }
    return run
  }

  /** Applies what is missing, and collects what is told. */
  const migrate = async (url: string, source: MigrationSource, options: ApplyOptions = {}) => {
    const applied: AppliedMigration[] = []
    const onApplied = (one: AppliedMigration) => void applied.push(one)
    const names = await applyMigrations(await connect(url), { source, onApplied, ...options })
    return { names, applied }
  }

  it('LOCKS-01 MUST give way to a transaction that holds the table, so that nobody waits a second, and be applied after it', async () => {
    const url = await open()
    const [holder, reader] = [await connect(url), await connect(url)]
    await holder('BEGIN; SELECT count(*) FROM postpaid.payment')
    const waits: string[] = []
    const twice = Promise.withResolvers<void>()
    const done = migrate(url, withLater(ADD_COLUMN), {
      onLockWait: reason => void (waits.push(reason) === 2 && twice.resolve()),
    })
    let longest = 0
    let isOver = false
    void twice.promise.then(() => (isOver = true))
    while (!isOver) {
      const began = performance.now()
      await reader('SELECT count(*) FROM postpaid.payment')
      longest = Math.max(longest, performance.now() - began)
    }
    expect(longest).toBeLessThan(1_000)
    expect(waits[0]).toMatch(
      /^29990101000000_later gives way .* session \d+ \(a test, idle in transaction\), open for \d+ s$/,
    )
    await holder('COMMIT')
    const { names, applied } = await done
    expect(names).toEqual([LATER])
    expect(applied).toEqual([
      {
        name: LATER,
        ms: expect.any(Number),
        lockedMs: expect.any(Number),
        locks: ['postpaid.payment (reads and writes)'],
      },
    ])
    // Two pauses of a second lie between its tries, in which it held nothing.
    expect(applied[0]!.lockedMs).toBeLessThanOrEqual(applied[0]!.ms - 1_900)
  })

  it('LOCKS-02 MUST end when its patience does, with what stands in the way, and leave nothing behind', async () => {
    const url = await open()
    const holder = await connect(url)
    await holder('BEGIN; SELECT count(*) FROM postpaid.payment')
    const failure = await migrate(url, withLater(ADD_COLUMN), { patienceMs: 500 }).catch(error => error)
    expect(failure).toBeInstanceOf(SetupError)
    expect(failure.message).toMatch(
      /could not lock its tables for 1 s: .* session \d+ .*; wait for it or end it, and run npm run db:migrate again$/,
    )
    await holder('ROLLBACK')
    expect(await holder(`SELECT 1 FROM public._prisma_migrations WHERE migration_name = '${LATER}'`)).toEqual(
      [],
    )
    expect((await migrate(url, withLater(ADD_COLUMN))).names).toEqual([LATER])
  })

  const IN_STEPS = `-- expand
-- locks: nothing for longer than a batch
-- in steps
DROP INDEX CONCURRENTLY IF EXISTS "directory"."account_later";
CREATE INDEX CONCURRENTLY "account_later" ON "directory"."account" ("cust_addr1");
UPDATE "directory"."account" SET "cust_addr2" = 'filled' WHERE "account_number" IN (
  SELECT "account_number" FROM "directory"."account" WHERE "cust_addr2" IS NULL LIMIT 400 FOR UPDATE SKIP LOCKED) RETURNING 1;
`
  const FILL = `INSERT INTO directory.account (account_number, cust_addr1) SELECT n, n FROM generate_series(1, 1000) n`
  const STATE = `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('directory.account_later')) AS valid,
    (SELECT count(*)::int FROM directory.account WHERE cust_addr2 = 'filled') AS filled,
    (SELECT count(*)::int FROM public._prisma_migrations WHERE migration_name = '${LATER}' AND finished_at IS NOT NULL) AS recorded`

  it('LOCKS-03 in steps MUST make an index while others write, and write rows batch by batch', async () => {
    const url = await open()
    const run = await connect(url)
    await run(FILL)
    expect((await migrate(url, withLater(IN_STEPS))).applied).toMatchObject([{ name: LATER, locks: [] }])
    expect(await run(STATE)).toEqual([{ valid: true, filled: 1000, recorded: 1 }])
    expect((await migrate(url, withLater(IN_STEPS))).names).toEqual([])
  })

  it('LOCKS-04 in steps MUST go on where an earlier run was cut, with no index left half made', async () => {
    const url = await open()
    const run = await connect(url)
    await run(FILL)
    await run(`UPDATE directory.account SET cust_addr1 = 'same'`)
    await run('CREATE UNIQUE INDEX CONCURRENTLY account_later ON directory.account (cust_addr1)').catch(
      () => 'as wanted',
    )
    expect(await run(STATE)).toMatchObject([{ valid: false, recorded: 0 }])
    await migrate(url, withLater(IN_STEPS))
    expect(await run(STATE)).toEqual([{ valid: true, filled: 1000, recorded: 1 }])
  })

  it('LOCKS-06 in steps MUST wait for older transactions as long as the patience goes, and begin again afterwards', async () => {
    const url = await open()
    const holder = await connect(url)
    await holder('BEGIN; INSERT INTO directory.account (account_number) VALUES (1)')
    const failure = await migrate(url, withLater(IN_STEPS), { patienceMs: 500 }).catch(error => error)
    expect(failure).toBeInstanceOf(SetupError)
    expect(failure.message).toMatch(/could not lock its tables for 1 s: .* session \d+ /)
    await holder('COMMIT')
    await migrate(url, withLater(IN_STEPS))
    expect(await holder(STATE)).toEqual([{ valid: true, filled: 1, recorded: 1 }])
  })

  it('LOCKS-05 in steps MUST be part of the one transaction of an empty database', async () => {
    const url = await open(createEmpty)
    await migrate(url, withLater(IN_STEPS))
    expect(await (await connect(url))(STATE)).toEqual([{ valid: true, filled: 0, recorded: 1 }])
  })
})
