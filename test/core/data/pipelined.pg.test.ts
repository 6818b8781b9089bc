/** Statements that go over one connection together: none fails for another, and the connection comes back whatever happens. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromDatabase, stateOf } from '#core/data/database-errors.ts'
import { type Database, Prisma, type Statements } from '#core/data/db.ts'
import { onPostgres, openForReading } from './opened.ts'

const POOL_SIZE = 2
const MOST = 8
let database: Database & { url: string }
let lookUp: Statements['$lookUp']
beforeAll(async () => {
  database = await openForReading({ DATABASE_POOL_SIZE: String(POOL_SIZE) })
  lookUp = database.db.$lookUp
})
afterAll(() => database.close())

const backend = async () => {
  const [row] = await lookUp<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
  return row!.pid
}

const backends = async (count: number) =>
  new Set(await Promise.all(Array.from({ length: count }, backend))).size

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.unreachable('it did not fail'),
    error => error,
  )

/** The embedded database has no connections. */
describe.skipIf(!onPostgres)('what is looked up in one turn', () => {
  it('LOOKUPS-01 MUST share a connection, so many at a time', async () => {
    expect(await backends(MOST)).toBe(1)
    expect(await backends(MOST + 1)).toBe(2)
  })

  it('LOOKUPS-02 MUST not fail for another, and keep its own answer', async () => {
    const divide = (by: number) => lookUp<object[]>`SELECT 12 / ${by}::int AS a`
    const results = await Promise.allSettled([divide(3), divide(0), divide(4), lookUp`SELECT no`])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(results).toMatchObject([{ value: [{ a: 4 }] }, {}, { value: [{ a: 3 }] }, {}])
    const states = results.map(result => result.status === 'rejected' && stateOf(result.reason))
    expect(states).toEqual([false, '22012', false, '42703'])
  })

  it('LOOKUPS-03 MUST give its connection back, also when all of it fails', async () => {
    for (let round = 0; round < 3 * POOL_SIZE; round++) {
      const both = [lookUp`SELECT 1 / 0`, lookUp`SELECT no_such_column`]
      const results = await Promise.allSettled(both)
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    }
    expect(await database.db.$queryRaw`SELECT 1 AS a`).toEqual([{ a: 1 }])
  })

  const sleep = (seconds: number) => Prisma.sql`SELECT pg_sleep(${seconds}::float8)::text`

  const endSleepers = async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const end = () =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND state = 'active'`)
    await expect.poll(async () => (await end()).rowCount, { interval: 10 }).toBeGreaterThan(0)
    await client.end()
  }

  it('LOOKUPS-04 MUST be given 503 when their connection is ended, and those that waited be read over another', async () => {
    const one = (a: number) => lookUp`SELECT ${a}::int AS a`
    const ended = failed(lookUp(sleep(5)))
    const [error, ...rows] = await Promise.all([ended, one(1), one(2), endSleepers()])
    expect(fromDatabase(error)?.code).toBe('SERVICE_UNAVAILABLE')
    expect(rows.slice(0, 2)).toEqual([[{ a: 1 }], [{ a: 2 }]])
    expect(await backends(MOST)).toBe(1)
  })

  it('LOOKUPS-05 MUST each be given 503 when no connection is free in time', async () => {
    const held = Array.from({ length: POOL_SIZE }, () => database.db.$queryRaw(sleep(2.5)))
    const all = [lookUp`SELECT 1 AS a`, lookUp`SELECT 2 AS a`]
    const errors = await Promise.all(all.map(failed))
    expect(errors.map(error => fromDatabase(error)?.code)).toEqual(all.map(() => 'SERVICE_UNAVAILABLE'))
    await Promise.all(held)
    expect(await backends(1)).toBe(1)
  })

  it('LOOKUPS-06 MUST not wait for what may read much', async () => {
    const slow = database.db.$queryRaw(sleep(1)).then(() => 'slow')
    const quick = backend().then(() => 'quick')
    expect(await Promise.race([slow, quick])).toBe('quick')
    await slow
  })
})
