/** Reads from a streaming standby that are as new as the primary's, whatever befalls it. */
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkInside } from '#cli/doctor/inside.ts'
import { readConfig } from '#core/config/config.ts'
import { type Database, migratePostgres, openDatabase } from '#core/data/db.ts'
import { RequestFacts, withFacts } from '#core/observability/request-facts.ts'
import {
  CAN_MAKE_CLUSTERS,
  type Cluster,
  initCluster,
  makeFolder,
  startCluster,
  startStandby,
} from '#test/ops/cluster.ts'
import { SECRETS_KEY } from '#test/support/postgres.ts'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { tokenAt } from '#test/support/steady-load.ts'
import { bearer } from '#test/support/subscribe.ts'

const LONG_MS = 120_000
const isWanted = process.env['TEST_DATABASE'] === 'postgres' && CAN_MAKE_CLUSTERS

const query = async ({ url }: Pick<Cluster, 'url'>, sql: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 20_000
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`It did not come to this: ${what}`)
    await delay(20)
  }
}

/** Does work as for a request of a client that is known, which only reads unless told otherwise. */
const asRequest = <T>(work: () => T, { method = 'GET', way = 'REST' as const, isKnown = true } = {}): T => {
  const facts = new RequestFacts({ correlator: 'c', method, path: '/', way })
  if (isKnown) facts.principal = { clientId: 'one', role: 'partner' }
  return withFacts(facts, work)
}

describe.skipIf(!isWanted)('a read replica', () => {
  const opened = new AsyncDisposableStack()
  let primary: Cluster
  let standby: Cluster
  let database: Database

  const settings = (env: Record<string, string> = {}) =>
    readConfig({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URL: `${standby.url}?target_session_attrs=standby`,
      SECRETS_KEY,
      DATABASE_POOL_SIZE: '6',
      ...env,
    })
  const figures = () => database.replica!()
  const isUsed = () => figures().fault === undefined

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'partner-graph-replica-'))
    opened.defer(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o711)
    const sockets = makeFolder(join(folder, 'sockets'))
    const data = makeFolder(join(folder, 'primary'))
    await initCluster(data)
    primary = await startCluster(data, sockets, ['wal_level = replica'])
    opened.defer(() => primary.stop())
    standby = await startStandby(primary, join(folder, 'standby'), sockets)
    opened.defer(() => standby.stop())
    await migratePostgres(settings())
    database = await openDatabase(settings())
    opened.defer(() => database.close())
  }, LONG_MS)
  afterAll(() => opened.disposeAsync(), LONG_MS)
  afterEach(() => until('the replica is used', isUsed))

  let written = 0
  /** Writes a row, and resolves with its name once that is acknowledged. */
  const write = async (): Promise<string> => {
    const name = `row-${written++}`
    await database.db.$transaction(
      tx => tx.$executeRaw`INSERT INTO books.book (name, client_id) VALUES (${name}, '')`,
    )
    return name
  }
  const read = (name: string) =>
    asRequest(async () => {
      const [row] = await database.db.$queryRaw<{ found: bigint; onStandby: boolean }[]>`
        SELECT (SELECT count(*) FROM books.book WHERE name = ${name}) AS found, pg_is_in_recovery() AS "onStandby"`
      return { isFound: Number(row!.found) === 1, onStandby: row!.onStandby }
    })

  it('REPLICA-01 MUST show whatever was acknowledged before, to all who read at the same time', async () => {
    await until('the replica is used', isUsed)
    const round = async () => {
      const name = await write()
      return Promise.all([read(name), read(name)])
    }
    const seen: Awaited<ReturnType<typeof read>>[] = []
    const loop = async () => {
      for (let turn = 0; turn < 60; turn++) seen.push(...(await round()))
    }
    await Promise.all([loop(), loop(), loop()])
    expect(seen.filter(({ isFound }) => !isFound)).toEqual([])
    expect(seen.filter(({ onStandby }) => onStandby).length).toBeGreaterThan(seen.length / 2)
    expect(figures().reads.replica).toBeGreaterThan(0)
  })

  it('REPLICA-02 MUST do no read of another kind', async () => {
    const { db } = database
    const onStandby = async (sent: Promise<{ it: boolean }[]>) => (await sent)[0]!.it
    const where = () => db.$queryRaw<{ it: boolean }[]>`SELECT pg_is_in_recovery() AS it`
    expect(await onStandby(asRequest(where))).toBe(true)
    expect(await onStandby(where())).toBe(false)
    expect(await onStandby(asRequest(where, { method: 'POST' }))).toBe(false)
    expect(await onStandby(asRequest(where, { isKnown: false }))).toBe(false)
    const inTransaction = () =>
      db.$transaction(tx => tx.$queryRaw<{ it: boolean }[]>`SELECT pg_is_in_recovery() AS it`)
    expect(await onStandby(asRequest(inTransaction))).toBe(false)
    const lookUp = () => db.$lookUp<{ it: boolean }[]>`SELECT pg_is_in_recovery() AS it`
    expect(await onStandby(asRequest(lookUp))).toBe(false)
    const name = `row-${written++}`
    const writing = () => db.$queryRaw<{ it: boolean }[]>`
      INSERT INTO books.book (name, client_id) VALUES (${name}, '') RETURNING pg_is_in_recovery() AS it`
    expect(await onStandby(asRequest(writing))).toBe(false)
  })

  it('REPLICA-03 MUST be left out while its replay is paused, and nothing be older for it', async () => {
    await query(standby, 'SELECT pg_wal_replay_pause()')
    const names = [await write(), await write()]
    const before = performance.now()
    expect(await Promise.all(names.map(read))).toEqual(Array(2).fill({ isFound: true, onStandby: false }))
    expect(performance.now() - before).toBeLessThan(1_500)
    await until('it is left out', () => figures().fault !== undefined)
    expect(figures().fault!.reason).toMatch(/^the read replica is \d+ bytes behind the primary$/)
    expect(figures().lagBytes).toBeGreaterThan(0)
    expect(await read(await write())).toEqual({ isFound: true, onStandby: false })
    expect(figures().reads.behind).toBeGreaterThan(0)
    await query(standby, 'SELECT pg_wal_replay_resume()')
    await until('it is used again', isUsed)
    expect(await read(names[0]!)).toEqual({ isFound: true, onStandby: true })
  })

  it.each(['SIGSTOP', 'SIGKILL'] as const)(
    'REPLICA-04 MUST cost no read more than moments when it is gone: %s',
    async signal => {
      const name = await write()
      const running = asRequest(
        () =>
          database.db
            .$queryRaw`SELECT pg_sleep(CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END)::text AS slept`,
      )
      await delay(200)
      standby.signal(signal)
      const began = performance.now()
      expect(await Promise.all([read(name), read(name), running.then(() => 'answered')])).toEqual([
        { isFound: true, onStandby: false },
        { isFound: true, onStandby: false },
        'answered',
      ])
      expect(performance.now() - began).toBeLessThan(5_000)
      await until('it is left out', () => figures().fault !== undefined)
      const next = performance.now()
      expect(await read(name)).toEqual({ isFound: true, onStandby: false })
      expect(performance.now() - next).toBeLessThan(500)
      if (signal === 'SIGSTOP') standby.signal('SIGCONT')
      else await standby.restart()
      await until('it is used again', isUsed)
      expect(await read(name)).toEqual({ isFound: true, onStandby: true })
    },
    LONG_MS,
  )

  it('REPLICA-05 MUST be refused where it does not fit the process', () => {
    expect(() => settings({ READ_ONLY: '1' })).toThrow(/DATABASE_REPLICA_URL must be unset with READ_ONLY=1/)
    expect(() => settings({ DATABASE_REPLICA_URL: 'http://db2' })).toThrow(
      /DATABASE_REPLICA_URL must be a postgresql/,
    )
  })

  it('REPLICA-06 MUST be looked at by the doctor', async () => {
    const textOf = async (env: Record<string, string>) => {
      const { findings } = await checkInside(settings(env), 10_000)
      const finding = findings.find(({ check }) => check === 'read replica')
      return `${finding?.status}: ${finding?.text}`
    }
    expect(await textOf({})).toMatch(/^well: The read replica follows the primary/)
    expect(await textOf({ DATABASE_REPLICA_URL: primary.url })).toMatch(/^degraded: .*leads to a primary/)
    const gone = { DATABASE_REPLICA_URL: 'postgresql://postgres@127.0.0.1:1/postgres' }
    expect(await textOf(gone)).toMatch(/^degraded: DATABASE_REPLICA_URL cannot be used/)
    const other = { DATABASE_REPLICA_URL: standby.url.replace(/postgres$/, 'template1') }
    expect(await textOf(other)).toMatch(/^broken: .*leads to another database/)
  })

  it(
    'REPLICA-10 MUST show a partner its payment at any process at once, whether or not the replica replays',
    async () => {
      const env = {
        DATABASE_URL: primary.url,
        DATABASE_REPLICA_URL: `${standby.url}?target_session_attrs=standby`,
        SECRETS_KEY,
        DEMO: '1',
        DATABASE_POOL_SIZE: '6',
      }
      await using servers = new AsyncDisposableStack()
      const start = async (): Promise<ServerProcess> => {
        const server = await startProcess(env)
        servers.defer(async () => void (await server.stop()))
        return server
      }
      const first = await start()
      const addresses = [first.address, (await start()).address]
      const token = await tokenAt(first.address)
      const headers = { 'content-type': 'application/json', ...bearer(token) }
      const payments = '/postpaid-billing/v1/payments'
      let turn = 0
      const postAndRead = async () => {
        const [one, two] = turn++ % 2 ? addresses : addresses.toReversed()
        const paymentTransaction = {
          referenceCode: randomUUID().slice(0, 20),
          customerInfo: { customerAccountNumber: '100002' },
          paymentInfo: { paymentInformation: { amount: 0.001, currency: 'OMR', description: 'replica' } },
        }
        const posted = await fetch(one + payments, {
          method: 'POST',
          headers,
          body: JSON.stringify({ paymentTransaction }),
        })
        expect(posted.status).toBe(201)
        const { paymentId } = (await posted.json()) as { paymentId: string }
        const listed = await fetch(`${two}${payments}?perPage=1000`, { headers })
        const single = await fetch(`${two}${payments}/${paymentId}`, { headers })
        expect([single.status, listed.status]).toEqual([200, 200])
        const all = (await listed.json()) as { paymentId: string }[]
        expect(all.some(payment => payment.paymentId === paymentId)).toBe(true)
      }
      const metric = async (address: string, pattern: RegExp) =>
        Number(pattern.exec(await (await fetch(`${address}/metrics`)).text())?.[1] ?? Number.NaN)
      for (const pause of [false, true, false]) {
        await query(standby, pause ? 'SELECT pg_wal_replay_pause()' : 'SELECT pg_wal_replay_resume()')
        await Promise.all(
          Array.from({ length: 4 }, async () => {
            for (let count = 0; count < 10; count++) await postAndRead()
          }),
        )
        if (!pause) continue
        const warnings = async () => {
          const ready = await fetch(`${addresses[0]}/health/ready`)
          expect(ready.status).toBe(200)
          return JSON.stringify(await ready.json())
        }
        await until('readiness warns', async () => (await warnings()).includes('bytes behind the primary'))
        expect(await metric(addresses[0]!, /^replica_up\S* (\d+)/m)).toBe(0)
      }
      await until('both read from it', async () => {
        const up = await Promise.all(addresses.map(address => metric(address, /^replica_up\S* (\d+)/m)))
        return up.every(value => value === 1)
      })
      const readsThere = () =>
        metric(addresses[0]!, /^replica_reads_total\{[^}]*place="replica"[^}]*\} (\d+)/m)
      const portal = await tokenAt(addresses[0]!, 'demo-portal')
      const before = await readsThere()
      expect(before).toBeGreaterThan(0)
      const answer = await fetch(`${addresses[0]}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(portal) },
        body: JSON.stringify({
          query: `{ subscriber(mobileNumber: "+96891000002") {
            customer { payments(first: 5) { totalCount } } timeline(first: 5, include: ACCOUNT) { totalCount } } }`,
        }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
      const { data } = (await answer.json()) as any
      expect(data.subscriber.customer.payments.totalCount).toBeGreaterThanOrEqual(120)
      expect(await readsThere()).toBeGreaterThan(before)
    },
    LONG_MS,
  )
})
