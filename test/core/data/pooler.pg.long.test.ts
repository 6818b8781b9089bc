/** PgBouncer in transaction mode between processes and PostgreSQL, with the file of `ops/pgbouncer`. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInside } from '#cli/doctor/inside.ts'
import { withTimeout } from '#core/async/deadline.ts'
import { createCommitNotifier } from '#core/async/worker.ts'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres, openDatabase, openPool } from '#core/data/db.ts'
import { startNotifyBridge } from '#core/data/pg-notify.ts'
import { untilFollowed } from '#test/support/metrics.ts'
import { hasPooler, type Pooler, startPooler } from '#test/support/pooler.ts'
import { createEmpty, createScratch, type Scratch, SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { startReceiver, startSteadyLoad, tokenAt } from '#test/support/steady-load.ts'
import { bearer, connect } from '#test/support/subscribe.ts'

const LONG_MS = 120_000
const isWanted = process.env['TEST_DATABASE'] === 'postgres' && hasPooler()

const settings = (env: Record<string, string>) => readConfig({ SECRETS_KEY, DATABASE_POOL_SIZE: '8', ...env })

const query = async <Row extends object>(url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const ask = async (address: string, token: string, text: string) => {
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify({ query: text }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  return (await response.json()) as any
}

describe.skipIf(!isWanted)('a connection through a pooler', () => {
  let scratch: Scratch
  let pooler: Pooler

  beforeAll(async () => {
    scratch = await createScratch()
    pooler = await startPooler(scratch.url, { size: 2 })
  }, LONG_MS)
  afterAll(async () => {
    await pooler?.[Symbol.asyncDispose]()
    await scratch?.drop()
  }, LONG_MS)

  const through = (env: Record<string, string> = {}) =>
    settings({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: scratch.url, ...env })

  it('POOLER-01 MUST be in UTC, with the limits of a transaction, and leave no statement behind', async () => {
    await using database = await openDatabase(through({ REQUEST_TIMEOUT_MS: '7000' })).then(opened => ({
      ...opened,
      [Symbol.asyncDispose]: opened.close,
    }))
    const { db } = database
    const limits = () =>
      db.$transaction(
        tx => tx.$queryRaw<{ zone: string; limit: string; idle: string }[]>`
        SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS limit,
          current_setting('idle_in_transaction_session_timeout') AS idle`,
      )
    const all = await Promise.all(Array.from({ length: 12 }, limits))
    expect(all.flat()).toEqual(Array(12).fill({ zone: 'UTC', limit: '7s', idle: '7s' }))
    await Promise.all(Array.from({ length: 12 }, (_, n) => db.$queryRaw`SELECT ${n}::int AS one`))
    await Promise.all(Array.from({ length: 12 }, () => db.book.findMany({ take: 1 })))
    const left = await db.$queryRaw<object[]>`SELECT name FROM pg_prepared_statements`
    expect(left).toEqual([])
    // The pooler's own limit stands for what is no transaction.
    const [own] = await db.$queryRaw<
      { limit: string }[]
    >`SELECT current_setting('statement_timeout') AS limit`
    expect(own).toEqual({ limit: '10s' })
  })

  it('POOLER-02 MUST pipeline reads of one turn, each with its own answer', async () => {
    await using database = await openDatabase(through()).then(opened => ({
      ...opened,
      [Symbol.asyncDispose]: opened.close,
    }))
    const { db } = database
    const turns = Array.from({ length: 20 }, (_, turn) =>
      Promise.all(Array.from({ length: 8 }, (_, n) => db.$lookUp`SELECT ${turn * 8 + n}::int AS n`)),
    )
    expect((await Promise.all(turns)).flat(2)).toEqual(Array.from({ length: 160 }, (_, n) => ({ n })))
  })

  it('POOLER-03 MUST refuse locks and migrations over it, and say what to set', async () => {
    const only = settings({ DATABASE_URL: pooler.url })
    await expect(migratePostgres(only)).rejects.toThrow(
      /set DATABASE_DIRECT_URL to the address of PostgreSQL/,
    )
    const database = await openDatabase(only)
    const locked = database.withAdvisoryLock('test', async () => 'done').finally(() => database.close())
    await expect(locked).rejects.toThrow(/set DATABASE_DIRECT_URL/)
    const held = await query(
      scratch.url,
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    expect(held).toEqual([])
    expect(await migratePostgres(through())).toEqual([])
  })

  it('POOLER-04 MUST tell once that it cannot listen over it, and leave nobody listening', async () => {
    const lines: string[] = []
    const warned = Promise.withResolvers<void>()
    const log = {
      warn: ({ err }: { err: Error }) => {
        lines.push(err.message)
        warned.resolve()
      },
    }
    const rounds = { begin: () => undefined, end: () => undefined }
    const bridge = startNotifyBridge({
      connectionString: pooler.url,
      notifiers: { posted: createCommitNotifier() },
      log: log as never,
      watchdog: { over: () => rounds } as never,
    })
    await warned.promise
    await delay(300)
    await bridge.close()
    expect(lines).toEqual([expect.stringMatching(/cannot be used for LISTEN: set DATABASE_DIRECT_URL/)])
    expect(await query(pooler.url, 'SELECT pg_listening_channels()')).toEqual([])
  })

  it('POOLER-05 MUST refuse to write where READ_ONLY=1 is not passed on, before anything is written', async () => {
    const pool = openPool(through({ READ_ONLY: '1' }))
    await expect(pool.query('SELECT 1')).rejects.toThrow(/does not pass on that READ_ONLY=1 only reads/)
    await pool.end()
    await using reading = await startPooler(scratch.url, {
      changes: [['SET statement_timeout = 10000', 'SET default_transaction_read_only = on']],
    })
    const reader = openPool(through({ DATABASE_URL: reading.url, READ_ONLY: '1' }))
    const { rows } = await reader.query(`SELECT current_setting('transaction_read_only') AS only`)
    await reader.end()
    expect(rows).toEqual([{ only: 'on' }])
  })

  it('POOLER-06 MUST be 503 within its limit where nothing answers behind it', async () => {
    await using lost = await startPooler('postgresql://postgres@127.0.0.1:1/test')
    const pool = openPool(through({ DATABASE_URL: lost.url }))
    const began = performance.now()
    await expect(pool.query('SELECT 1')).rejects.toThrow()
    await pool.end()
    expect(performance.now() - began).toBeLessThan(4_000)
  })

  it(
    'POOLER-07 MUST be looked at by the doctor, with what does not fit',
    async () => {
      const textOf = async (env: Record<string, string>) => {
        const { findings } = await checkInside(through(env), 10_000)
        const finding = findings.find(({ check }) => check === 'database pooler')
        return `${finding?.status}: ${finding?.text}`
      }
      expect(await textOf({})).toMatch(
        /^well: DATABASE_URL leads through a pooler, and DATABASE_DIRECT_URL around it/,
      )
      expect(await textOf({ DATABASE_DIRECT_URL: pooler.url })).toMatch(
        /^degraded: .*LISTEN needs a session of its own/,
      )
      await using limitless = await startPooler(scratch.url, {
        changes: [[` connect_query='SET statement_timeout = 10000'`, '']],
      })
      expect(await textOf({ DATABASE_URL: limitless.url })).toMatch(/^degraded: .*no statement_timeout/)
      const other = await createEmpty()
      const elsewhere = await textOf({ DATABASE_DIRECT_URL: other.url }).finally(() => other.drop())
      expect(elsewhere).toMatch(/^broken: .*lead to different databases/)
      expect(await textOf({ DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/test' })).toMatch(
        /^broken: DATABASE_URL cannot be used/,
      )
    },
    LONG_MS,
  )
})

describe.skipIf(!isWanted)('processes behind a pooler', () => {
  const opened = new AsyncDisposableStack()
  let direct: Scratch
  let pooler: Pooler
  let servers: readonly ServerProcess[]

  beforeAll(async () => {
    direct = await createEmpty()
    opened.defer(() => direct.drop())
    pooler = opened.use(await startPooler(direct.url))
    const env = {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct.url,
      SECRETS_KEY,
      DEMO: '1',
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOW: '127.0.0.1',
    }
    const start = async () => {
      const server = await startProcess(env)
      opened.defer(async () => void (await server.stop()))
      return server
    }
    // The first sets the empty database up.
    const first = await start()
    servers = [first, await start()]
  }, LONG_MS)
  afterAll(() => opened.disposeAsync(), LONG_MS)

  it(
    'POOLER-10 MUST post, list, ask the graph, send webhooks and events as without one',
    async () => {
      const [one, two] = servers.map(({ address }) => address) as [string, string]
      const partner = await tokenAt(one)
      const portal = await tokenAt(two, 'demo-portal')
      using receiver = await startReceiver()
      using socket = connect(two, bearer(portal))
      using events = socket.subscribe('subscription { paymentEvents { eventDetail { paymentId } } }')
      await socket.socket
      await untilFollowed(two)
      const load = startSteadyLoad({
        addresses: () => [one, two],
        token: async () => partner,
        notificationUrl: receiver.url,
        parallel: 8,
      })
      await load.more(300)
      await load.stop()
      expect(load.faults).toEqual([])

      const seen = new Set<string>()
      const all = async () => {
        while ([...load.answered].some(id => !seen.has(id)))
          for (const { data } of [await events.next(), ...events.rest()])
            seen.add(data.paymentEvents.eventDetail.paymentId)
        while ([...load.answered].some(id => !receiver.received.has(id))) await delay(20)
      }
      await withTimeout(all(), 30_000, () => {
        throw new Error(
          `Of ${load.answered.size} payments ${seen.size} events and ${receiver.received.size} webhooks came`,
        )
      })

      const listed = await fetch(`${two}/postpaid-billing/v1/payments?limit=100`, {
        headers: bearer(partner),
      })
      expect(listed.status).toBe(200)
      const { data, errors } = await ask(
        two,
        portal,
        `{ subscriber(mobileNumber: "+96891000002") {
        customer { totalDues payments(first: 5) { totalCount nodes { paymentId transactionOperationStatus } } }
        timeline(first: 5) { totalCount nodes { kind } }
        summary(by: ALL, groupBy: [KIND]) { kind count } } }`,
      )
      expect(errors).toBeUndefined()
      expect(data.subscriber.customer.payments.totalCount).toBeGreaterThanOrEqual(300)
      expect(data.subscriber.timeline.nodes).toHaveLength(5)
      const [rows] = await query<{ count: number }>(
        direct.url,
        'SELECT count(DISTINCT id)::int AS count FROM postpaid.payment',
      )
      expect(rows!.count).toBeGreaterThanOrEqual(load.answered.size)
      const listening = await query(
        direct.url,
        `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'partner-graph notifications'`,
      )
      expect(listening).toHaveLength(2)
      const sessions = await query(
        direct.url,
        `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'partner-graph'`,
      )
      expect(sessions.length).toBeLessThanOrEqual(4)
      for (const { address } of servers) expect((await fetch(`${address}/health/ready`)).status).toBe(200)
    },
    LONG_MS,
  )
})
