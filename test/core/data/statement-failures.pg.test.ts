/** Failures by the hot way are those of Prisma's: the same failure for the client, and refused input is told apart. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import { fromDatabase, isRefusedInput, stateOf } from '#core/data/database-errors.ts'
import { type Database, openPool, Prisma, type Statements } from '#core/data/db.ts'
import { SECRETS_KEY } from '#test/support/postgres.ts'
import { byPrisma } from '#test/support/statements.ts'
import { onPostgres, openForReading } from './opened.ts'

const TIMEOUT_MS = 300
const POOL_SIZE = 2
let database: Database & { url: string }
beforeAll(async () => {
  const env = { REQUEST_TIMEOUT_MS: String(TIMEOUT_MS), DATABASE_POOL_SIZE: String(POOL_SIZE) }
  database = await openForReading(env)
})
afterAll(() => database.close())

const failureOf = (work: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(work).then(
    () => expect.unreachable('it did not fail'),
    error => error,
  )

/** The meaning of a failure to the client. */
const meaningOf = (error: Error) => ({
  code: fromDatabase(error)?.code,
  message: fromDatabase(error)?.message,
  refused: isRefusedInput(error),
})

/** The failures of both ways, which must be the same. */
const failBoth = async (fail: (way: Pick<Statements, '$queryRaw'>) => Promise<Error>) => {
  const [ofPrisma, ofDriver] = [await fail(byPrisma(database.db)), await fail(database.db)]
  expect(meaningOf(ofDriver)).toEqual(meaningOf(ofPrisma))
  return { ...meaningOf(ofDriver), state: stateOf(ofDriver), error: ofDriver }
}

const failing = (statement: Prisma.Sql) => failBoth(way => failureOf(way.$queryRaw(statement)))

describe('a statement that the database refuses', () => {
  it.each([
    ['22P02', 'REQUEST_VALIDATION_ERROR', Prisma.sql`SELECT ${'no-uuid'}::uuid`],
    ['22021', 'REQUEST_VALIDATION_ERROR', Prisma.sql`SELECT ${'nul\0'}::text`],
    ['22003', undefined, Prisma.sql`SELECT ${'99999999999999999999'}::bigint`],
    ['22007', undefined, Prisma.sql`SELECT ${'yesterdays'}::timestamptz`],
    ['22012', undefined, Prisma.sql`SELECT 1 / ${0}::int`],
  ])('READER-10 MUST blame its values, as by Prisma: %s', async (state, _, statement) => {
    const failure = await failing(statement)
    expect(failure).toMatchObject({ state, refused: true })
  })

  it.each([
    ['42P01', Prisma.sql`SELECT 1 FROM no_such_table`],
    ['42703', Prisma.sql`SELECT no_such_column`],
    ['42601', Prisma.sql`SELECT FROM WHERE`],
  ])('READER-11 MUST be a bug, as by Prisma: %s', async (state, statement) => {
    expect(await failing(statement)).toMatchObject({ state, refused: false, code: undefined })
  })

  it('READER-12 MUST not refuse what shares its statement', async () => {
    const find = batchedLookup(async (ids: readonly string[]) => {
      const rows = await database.db.$queryRaw<{ id: string }[]>`SELECT unnest(${ids}::uuid[]) AS id`
      return rows.map(({ id }) => id)
    })
    const good = '00000000-0000-4000-8000-000000000000'
    const [found, refused] = await Promise.allSettled([find(good), find('bad')])
    expect(found).toMatchObject({ status: 'fulfilled', value: good })
    expect(refused.status).toBe('rejected')
  })

  it('READER-13 MUST not quote rows: the words of the database and its SQLSTATE are all that is kept', async () => {
    const error = await failureOf(database.db.$queryRaw`SELECT ${'no-uuid'}::uuid`)
    expect(Object.keys(error).sort()).toEqual(['meta', 'name'])
    expect(error).toMatchObject({ name: 'ReadFailure', meta: { code: '22P02' } })
    expect(error.cause).toBeUndefined()
  })
})

/** The embedded database has no connections, and no time limit of its own. */
describe.skipIf(!onPostgres)('the connection', () => {
  const sleep = Prisma.sql`SELECT pg_sleep(5)::text`

  it('READER-14 MUST be given 504 when a statement takes longer than a request may', async () => {
    expect(await failing(sleep)).toMatchObject({ state: '57014', code: 'REQUEST_TIMEOUT_EXCEEDED' })
  })

  /** Ends what runs a statement that sleeps, from outside. */
  const endSleepers = async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const end = () =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE query LIKE '%pg_sleep(5)%' AND pid <> pg_backend_pid() AND state = 'active'`)
    await expect.poll(async () => (await end()).rowCount, { interval: 10 }).toBeGreaterThan(0)
    await client.end()
  }

  it('READER-15 MUST be given 503 when its connection is ended, and be made anew', async () => {
    const failure = await failBoth(async way => {
      const [error] = await Promise.all([failureOf(way.$queryRaw(sleep)), endSleepers()])
      return error
    })
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await database.db.$queryRaw`SELECT 1 AS a`).toEqual([{ a: 1 }])
  })

  /** Holds all connections, of which both ways have the same. */
  const holdAll = async () => {
    const [held, let_go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let holding = 0
    const hold = () =>
      database.db.$transaction(
        async tx => {
          await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = 0`
          if (++holding === POOL_SIZE) held.resolve()
          await let_go.promise
        },
        { timeout: 30_000 },
      )
    const done = Promise.all(Array.from({ length: POOL_SIZE }, hold))
    await held.promise
    return async () => {
      let_go.resolve()
      await done
    }
  }

  it('READER-16 MUST be given 503 when none is free in time: one pool has them all', async () => {
    const release = await holdAll()
    const failure = await failing(Prisma.sql`SELECT 1 AS a`).finally(release)
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await database.db.$queryRaw`SELECT 1 AS a`).toEqual([{ a: 1 }])
  })

  it('READER-17 MUST be lost without harm in the moment between one user and the next', async () => {
    const pool = openPool(readConfig({ DATABASE_URL: database.url, SECRETS_KEY }))
    const client = await pool.connect()
    expect(() => client.emit('error', new Error('lost'))).not.toThrow()
    client.release(true)
    await pool.end()
  })
})
