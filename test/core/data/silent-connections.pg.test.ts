/** Connections that went silent, as behind a firewall that forgot them: requests that wait for them are refused or served within moments. */
import { describe, expect, it, vi } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { fromDatabase } from '#core/data/database-errors.ts'
import { type Database, openDatabase, Prisma, type Statements } from '#core/data/db.ts'
import { createScratch, SECRETS_KEY } from '#test/support/postgres.ts'
import { startProxy } from '#test/support/proxy.ts'
import { byPrisma } from '#test/support/statements.ts'
import { onPostgres } from './opened.ts'

const POOL_SIZE = 4
/** Below how long a statement may take; found out within is a second of silence, and the question. */
const SOON_MS = 8_000

type Opened = Database & AsyncDisposable

/** A database behind a proxy of its own, so that tests wait side by side. */
const openStage = async () => {
  const { url, drop } = await createScratch()
  const address = new URL(url)
  const proxy = await startProxy(address.hostname, Number(address.port || 5432))
  address.port = String(proxy.port)
  const open = async (env: Record<string, string> = {}): Promise<Opened> => {
    const settings = { DATABASE_URL: address.href, SECRETS_KEY, DATABASE_POOL_SIZE: String(POOL_SIZE) }
    const opened = await openDatabase(readConfig({ ...settings, ...env }))
    return { ...opened, [Symbol.asyncDispose]: opened.close }
  }
  const end = async () => {
    await proxy.close()
    await drop()
  }
  return { proxy, open, [Symbol.asyncDispose]: end }
}

/** Makes all connections of the pool, and has them lie unused. */
const fill = ({ db }: Database) =>
  Promise.all(Array.from({ length: POOL_SIZE }, () => db.$queryRaw`SELECT pg_sleep(0.05)::text`))

const insert = (tx: Statements, name: string) =>
  tx.$executeRaw`INSERT INTO books.book (name, client_id) VALUES (${name}, '')`
const codeOf = (error: unknown) => fromDatabase(error)?.code
const inTime = async <T>(work: Promise<T>, within = SOON_MS): Promise<T> => {
  const began = performance.now()
  try {
    return await work
  } finally {
    expect(performance.now() - began).toBeLessThan(within)
  }
}

/** The embedded database has no connections. */
describe.skipIf(!onPostgres).concurrent('connections that went silent', () => {
  it('SILENT-01 MUST delay what reads and what is written in a transaction, and no more', async () => {
    await using stage = await openStage()
    await using database = await stage.open()
    await fill(database)
    expect(stage.proxy.count).toBe(POOL_SIZE)
    stage.proxy.freeze()
    const { db } = database
    const lookUp = () => db.$lookUp`SELECT 1 AS a`
    const all = Promise.all([
      db.$transaction(tx => insert(tx, 'silent')),
      db.$queryRaw`SELECT 1 AS a`,
      lookUp(),
      lookUp(),
      byPrisma(db).$queryRaw`SELECT 1 AS a`.catch(codeOf),
    ])
    const one = [{ a: 1 }]
    expect(await inTime(all)).toEqual([1, one, one, one, 'SERVICE_UNAVAILABLE'])
    expect(await db.book.count({ where: { name: 'silent' } })).toBe(1)
  })

  it('SILENT-02 MUST all be given up with the first that is found, also those that nobody waits for', async () => {
    await using stage = await openStage()
    await using database = await stage.open()
    await fill(database)
    stage.proxy.freeze()
    await inTime(database.db.$queryRaw`SELECT 1 AS a`)
    await inTime(database.db.$transaction(tx => tx.$queryRaw`SELECT 1 AS a`))
  })

  it('SILENT-03 MUST leave nothing locked: the same is done over another connection', async () => {
    await using stage = await openStage()
    await using database = await stage.open()
    let times = 0
    const change = () =>
      database.db.$transaction(async tx => {
        await tx.$executeRaw`UPDATE books.book SET position = position + 1 WHERE name = 'locked'`
        if (times++ === 0) stage.proxy.freeze()
        return tx.$queryRaw`SELECT 1`
      })
    await database.db.$transaction(tx => insert(tx, 'locked'))
    await inTime(change())
    expect(times).toBe(2)
    const where = { name: 'locked' }
    expect(await database.db.book.findFirst({ where })).toMatchObject({ position: 1n })
  })

  it('SILENT-04 MUST be 503, and done once at the most, where a commit was not answered', async () => {
    await using stage = await openStage()
    await using database = await stage.open()
    let times = 0
    const work = database.db.$transaction(async tx => {
      await insert(tx, 'unknown')
      times++
      stage.proxy.freeze()
    })
    const failure = await inTime(work.catch(error => error))
    expect(fromDatabase(failure)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('send the same clientCorrelatorId again'),
    })
    expect(times).toBe(1)
  })

  it.each([
    ['RETURNING', Prisma.sql`INSERT INTO books.book (name, client_id) VALUES ('alone', '') RETURNING name`],
    ['FOR UPDATE', Prisma.sql`SELECT name FROM books.book FOR UPDATE`],
  ])('SILENT-09 MUST be 503 for a statement that may have written by itself: %s', async (_, statement) => {
    await using stage = await openStage()
    await using database = await stage.open()
    await fill(database)
    stage.proxy.freeze()
    expect(await inTime(database.db.$queryRaw(statement).catch(codeOf))).toBe('SERVICE_UNAVAILABLE')
  })
})

describe.skipIf(!onPostgres).concurrent('a statement that takes long', () => {
  it('SILENT-05 MUST go on, however long it is silent, where PostgreSQL is at work on it', async () => {
    await using stage = await openStage()
    await using database = await stage.open()
    const rows = await database.db.$queryRaw(Prisma.sql`SELECT pg_sleep(2.5)::text, 1 AS a`)
    expect(rows).toMatchObject([{ a: 1 }])
  })

  it('SILENT-06 MUST go on beyond the limit where its transaction lifts that, as an import does', async () => {
    await using stage = await openStage()
    await using database = await stage.open({ REQUEST_TIMEOUT_MS: '100' })
    await database.db.$transaction(
      async tx => {
        await tx.$executeRaw`SELECT set_config('statement_timeout', '0', true),
          set_config('idle_in_transaction_session_timeout', '0', true)`
        await tx.$executeRaw`SELECT pg_sleep(1.5)`
      },
      { timeout: 20_000 },
    )
  })
})

describe.skipIf(!onPostgres).concurrent('where PostgreSQL cannot be queried either', () => {
  it('SILENT-07 MUST end with the limit on this side, and the pool be whole again after', async () => {
    await using stage = await openStage()
    await using database = await stage.open({ REQUEST_TIMEOUT_MS: '200' })
    const { db } = database
    await db.$queryRaw`SELECT 1`
    stage.proxy.freeze()
    stage.proxy.refuse()
    const statements = [
      db.$queryRaw`SELECT 1`,
      byPrisma(db).$queryRaw`SELECT 1`,
      db.$transaction(tx => tx.$queryRaw`SELECT 1`),
    ]
    const failed = await inTime(Promise.all(statements.map(one => one.catch(codeOf))))
    expect(failed).toEqual(statements.map(() => 'SERVICE_UNAVAILABLE'))
    stage.proxy.restore()
    expect(await inTime(fill(database))).toHaveLength(POOL_SIZE)
  })

  it('SILENT-08 MUST not hold up a stop', async () => {
    await using stage = await openStage()
    const database = await stage.open()
    const reading = database.db.$queryRaw`SELECT pg_sleep(30)::text`.catch(codeOf)
    await vi.waitUntil(() => stage.proxy.count === 1)
    stage.proxy.freeze()
    stage.proxy.refuse()
    await inTime(database.close(), 5_000)
    expect(await reading).toBe('SERVICE_UNAVAILABLE')
  })
})
