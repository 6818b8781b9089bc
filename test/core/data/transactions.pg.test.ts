/** Hot transactions: all of one or nothing, in time, whatever fails; and the connection is as good as before. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromDatabase, isRefusedInput, stateOf } from '#core/data/database-errors.ts'
import { type Database, Prisma, type Statements, type Transaction } from '#core/data/db.ts'
import { byPrisma } from '#test/support/statements.ts'
import { onPostgres, openForReading } from './opened.ts'

const POOL_SIZE = 2
const TIMES = 10
let database: Database & { url: string }
beforeAll(async () => {
  database = await openForReading({ REQUEST_TIMEOUT_MS: '2000', DATABASE_POOL_SIZE: String(POOL_SIZE) })
})
afterAll(() => database.close())

const write = (tx: Statements, name: string) =>
  tx.$executeRaw`INSERT INTO books.book (name, client_id) VALUES (${name}, '')`
const booksCalled = (...names: string[]) => database.db.book.count({ where: { name: { in: names } } })

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.unreachable('it did not fail'),
    error => error,
  )

describe('a transaction', () => {
  it('WRITER-01 MUST be there when it has resolved, and say what its work came to', async () => {
    const count = await database.db.$transaction(async tx => {
      await write(tx, 'one')
      return tx.$executeRaw`UPDATE books.book SET position = ${7n} WHERE name = ANY (${['one', 'none']}::text[])`
    })
    expect(count).toBe(1)
    expect(await database.db.book.findMany({ where: { name: 'one' } })).toMatchObject([{ position: 7n }])
  })

  it('WRITER-02 MUST not be there when its work has failed, with the failure as it was', async () => {
    const wrong = new Error('wrong')
    const failure = failureOf(
      database.db.$transaction(async tx => {
        await write(tx, 'two')
        throw wrong
      }),
    )
    expect(await failure).toBe(wrong)
    expect(await booksCalled('two')).toBe(0)
  })

  it('WRITER-03 MUST write what Prisma writes', async () => {
    const values = [
      12n,
      new Date('0099-01-02T03:04:05.678Z'),
      new Prisma.Decimal('1.20'),
      true,
      null,
      ['a', 'b"'],
    ]
    const statement = Prisma.sql`SELECT ${values[0]}::bigint::text AS a, (${values[1]}::timestamptz AT TIME ZONE 'UTC')::text AS b,
      ${values[2]}::numeric::text AS c, ${values[3]}::boolean::text AS d, ${values[4]}::text AS e, ${values[5]}::text[]::text AS f`
    const hot = await database.db.$transaction(tx => tx.$queryRaw(statement))
    expect(hot).toEqual(await byPrisma(database.db).$queryRaw(statement))
  })

  it('WRITER-04 MUST carry out in their order what is begun together, and take all back where one fails', async () => {
    const inOrder = await database.db.$transaction(tx =>
      Promise.all([
        write(tx, 'first'),
        tx.$executeRaw`UPDATE books.book SET position = 1 WHERE name = 'first'`,
      ]),
    )
    expect(inOrder).toEqual([1, 1])
    const failure = await failureOf(
      database.db.$transaction(tx =>
        Promise.all([write(tx, 'third'), tx.$queryRaw`SELECT ${'no-uuid'}::uuid`, write(tx, 'fourth')]),
      ),
    )
    expect({ state: stateOf(failure), refused: isRefusedInput(failure) }).toEqual({
      state: '22P02',
      refused: true,
    })
    expect(await booksCalled('third', 'fourth')).toBe(0)
  })

  it('WRITER-05 MUST not pass for committed where a statement failed and nobody minded', async () => {
    const failure = failureOf(
      database.db.$transaction(async tx => {
        await write(tx, 'five')
        await tx.$queryRaw`SELECT 1 / 0`.catch(() => undefined)
      }),
    )
    expect(await failure).toBeInstanceOf(Error)
    expect(await booksCalled('five')).toBe(0)
  })

  it('WRITER-06 MUST be taken back when it took too long, which is a 504', async () => {
    const failure = await failureOf(
      database.db.$transaction(
        async tx => {
          await write(tx, 'six')
          while (true) await tx.$queryRaw`SELECT 1`
        },
        { timeout: 20 },
      ),
    )
    expect(fromDatabase(failure)?.code).toBe('REQUEST_TIMEOUT_EXCEEDED')
    expect(await booksCalled('six')).toBe(0)
  })

  it('WRITER-07 MUST leave its connection as it was, however it ended', async () => {
    for (let time = 0; time < TIMES; time++) {
      await failureOf(database.db.$transaction(tx => tx.$queryRaw`SELECT no_such_column`))
      await failureOf(database.db.$transaction(() => Promise.reject(new Error('wrong'))))
      expect(await database.db.$transaction(tx => tx.$queryRaw`SELECT 1 AS a`)).toEqual([{ a: 1 }])
    }
  })
})

/** Others stood in its way: PostgreSQL took the transaction back, and says that the same may well succeed. */
describe.each(['40P01', '40001'])('a conflict (%s)', state => {
  const raise = (tx: Statements) =>
    tx.$executeRaw(Prisma.raw(`DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '${state}'; END $$`))

  it('WRITER-08 MUST be tried once more, and be there once', async () => {
    let times = 0
    await database.db.$transaction(async tx => {
      await write(tx, `conflict ${state}`)
      if (times++ === 0) await raise(tx)
    })
    expect([times, await booksCalled(`conflict ${state}`)]).toEqual([2, 1])
  })

  it('WRITER-09 MUST be a 503 the second time, in a request too, and not be there', async () => {
    let times = 0
    const work = async (tx: Statements) => {
      times++
      await write(tx, `conflicts ${state}`)
      await raise(tx)
    }
    const alone = await failureOf(database.db.$transaction(work))
    const { signal } = new AbortController()
    const ofRequest = await failureOf(database.db.$transaction(work, { signal }))
    expect([alone, ofRequest].map(error => fromDatabase(error)?.code)).toEqual(
      Array(2).fill('SERVICE_UNAVAILABLE'),
    )
    expect([times, await booksCalled(`conflicts ${state}`)]).toEqual([4, 0])
  })
})

/** The embedded database has no connections. */
describe.skipIf(!onPostgres)('a transaction whose connection is ended', () => {
  it('WRITER-10 MUST be a 503 of which nothing is there, and the next one has another connection', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    for (let time = 0; time < TIMES; time++) {
      const failure = await failureOf(
        database.db.$transaction(async tx => {
          await write(tx, 'ended')
          const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`
          await client.query('SELECT pg_terminate_backend($1::int, 2000::bigint)', [pid])
          await tx.$queryRaw`SELECT 1`
        }),
      )
      expect(fromDatabase(failure)?.code).toBe('SERVICE_UNAVAILABLE')
    }
    await client.end()
    expect(await booksCalled('ended')).toBe(0)
    expect(await database.db.$transaction(tx => tx.$queryRaw`SELECT 1 AS a`)).toEqual([{ a: 1 }])
  })

  it('WRITER-11 MUST be a 503 when no connection is free in time', async () => {
    const done = Promise.withResolvers<void>()
    let holding = 0
    const hold = () =>
      database.db.$transaction(async tx => {
        await tx.$queryRaw`SELECT 1`
        holding++
        await done.promise
      })
    const held = Promise.all(Array.from({ length: POOL_SIZE }, hold))
    await expect.poll(() => holding, { interval: 5 }).toBe(POOL_SIZE)
    const failure = await failureOf(database.db.$transaction(tx => tx.$queryRaw`SELECT 1`))
    done.resolve()
    await held
    expect(fromDatabase(failure)?.code).toBe('SERVICE_UNAVAILABLE')
  })
})

describe("Prisma's methods of models in a transaction", () => {
  const find = (tx: Transaction, name: string) =>
    tx.book.findUnique({ where: { name_clientId: { name, clientId: '' } } })

  it('MODELS-01 MUST see and be seen by its statements, and be committed with them', async () => {
    const found = await database.db.$transaction(async tx => {
      await write(tx, 'by statement')
      await tx.book.create({ data: { name: 'by model', clientId: '', position: 5n } })
      const [row] = await tx.$queryRaw<{ position: bigint }[]>`
        SELECT position FROM books.book WHERE name = 'by model'`
      return [(await find(tx, 'by statement'))?.name, row?.position]
    })
    expect(found).toEqual(['by statement', 5n])
    expect(await booksCalled('by statement', 'by model')).toBe(2)
  })

  it('MODELS-02 MUST be taken back with it, if one of its statements fails', async () => {
    const wrong = new Error('wrong')
    const failure = failureOf(
      database.db.$transaction(async tx => {
        await tx.book.create({ data: { name: 'undone', clientId: '' } })
        throw wrong
      }),
    )
    expect(await failure).toBe(wrong)
    const doubled = failureOf(
      database.db.$transaction(async tx => {
        await write(tx, 'undone')
        await tx.book.create({ data: { name: 'undone', clientId: '' } })
      }),
    )
    expect(await doubled).toMatchObject({ code: 'P2002' })
    expect(await booksCalled('undone')).toBe(0)
    expect(await database.db.$queryRaw`SELECT 1 AS a`).toEqual([{ a: 1 }])
  })

  it.skipIf(!onPostgres)('MODELS-03 MUST not be those of another that runs at the same time', async () => {
    const written = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    let writers = 0
    let readers = 0
    const names = ['left', 'right'] as const
    const found = await Promise.all(
      names.map(name =>
        database.db.$transaction(async tx => {
          await write(tx, name)
          if (++writers === names.length) written.resolve()
          await written.promise
          const rows = await Promise.all(names.map(one => find(tx, one)))
          if (++readers === names.length) read.resolve()
          await read.promise
          return rows.map(row => row?.name)
        }),
      ),
    )
    expect(found).toEqual([
      ['left', undefined],
      [undefined, 'right'],
    ])
  })
})
