/** A primary that ends, hangs or is demoted, with a standby beside it: the process finds the one that writes by itself. */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInside } from '#cli/doctor/inside.ts'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres, openDatabase, openPool } from '#core/data/db.ts'
import {
  CAN_MAKE_CLUSTERS,
  type Cluster,
  initCluster,
  makeFolder,
  promote,
  startCluster,
  startStandby,
} from '#test/ops/cluster.ts'
import { SECRETS_KEY } from '#test/support/postgres.ts'
import { startProcess } from '#test/support/process.ts'
import { startSteadyLoad, tokenAt } from '#test/support/steady-load.ts'

const LONG_MS = 180_000

/** A server at which nobody answers, and from which no refusal comes. */
const startSilent = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket.on('error', () => undefined)))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A primary, and a standby that confirms each commit. */
interface Pair extends AsyncDisposable {
  readonly primary: Cluster
  readonly standby: Cluster
  /** Address of both, the standby first. */
  url(parameters?: string, hosts?: readonly string[]): string
}

const hostOf = ({ port }: Cluster) => `127.0.0.1:${port}`

const query = async <Row extends object>({ url }: Cluster, sql: string): Promise<Row[]> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const startPair = async (): Promise<Pair> => {
  await using made = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-failover-'))
  made.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  const sockets = makeFolder(join(folder, 'sockets'))
  const start = async (starting: Promise<Cluster>) => {
    const cluster = await starting
    made.defer(() => cluster.stop().catch(() => undefined))
    made.defer(() => {
      try {
        cluster.signal('SIGCONT')
      } catch {
        // It has ended.
      }
    })
    return cluster
  }
  const data = makeFolder(join(folder, 'primary'))
  await initCluster(data)
  const primary = await start(startCluster(data, sockets, ['wal_level = replica']))
  const standby = await start(startStandby(primary, join(folder, 'standby'), sockets))
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await query(primary, 'SELECT pg_reload_conf()')
  const dispose = made.move()
  return {
    primary,
    standby,
    url: (parameters = 'target_session_attrs=read-write', hosts = [hostOf(standby), hostOf(primary)]) =>
      `postgresql://postgres@${hosts.join(',')}/postgres?${parameters}`,
    [Symbol.asyncDispose]: () => dispose.disposeAsync(),
  }
}

const settings = (url: string, env: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: url, SECRETS_KEY, DATABASE_POOL_SIZE: '4', ...env })

const portAt = async (url: string, env: Record<string, string> = {}): Promise<number> => {
  const pool = openPool(settings(url, env))
  try {
    const { rows } = await pool.query<{ port: number }>('SELECT inet_server_port() AS port')
    return rows[0]!.port
  } finally {
    await pool.end()
  }
}

const isWanted = process.env['TEST_DATABASE'] === 'postgres' && CAN_MAKE_CLUSTERS

describe.skipIf(!isWanted)('several hosts, of which one writes', () => {
  let pair: Pair

  beforeAll(async () => {
    pair = await startPair()
  }, LONG_MS)
  afterAll(async () => {
    await pair?.[Symbol.asyncDispose]()
  }, LONG_MS)

  it('HOSTS-10 MUST lead to the server of the kind that is asked for, in whatever order they stand', async () => {
    const hosts = [hostOf(pair.primary), hostOf(pair.standby)]
    const portOf = async (target: string, env = {}) => {
      const parameters = `target_session_attrs=${target}`
      const found = [hosts, hosts.toReversed()].map(order => portAt(pair.url(parameters, order), env))
      const [one, other] = await Promise.all(found)
      expect(one).toBe(other)
      return one
    }
    const reads = { READ_ONLY: '1' }
    const [primary, standby] = [pair.primary.port, pair.standby.port]
    expect(await portOf('read-write')).toBe(primary)
    expect(await portOf('primary')).toBe(primary)
    expect(await portOf('read-write', reads)).toBe(primary)
    expect(await portOf('standby', reads)).toBe(standby)
    expect(await portOf('prefer-standby', reads)).toBe(standby)
    const any = `target_session_attrs=any`
    expect(await portAt(pair.url(any, hosts), reads)).toBe(primary)
    expect(await portAt(pair.url(any, hosts.toReversed()), reads)).toBe(standby)
  })

  it('HOSTS-11 MUST prefer a standby, and take the primary where there is none', async () => {
    const alone = pair.url('target_session_attrs=prefer-standby', ['127.0.0.1:1', hostOf(pair.primary)])
    expect(await portAt(alone, { READ_ONLY: '1' })).toBe(pair.primary.port)
  })

  it('HOSTS-12 MUST cost no more than its share where the first host does not answer, and once', async () => {
    using silent = await startSilent()
    const url = pair.url(undefined, [silent.host, hostOf(pair.primary)])
    const took = async () => {
      const began = performance.now()
      expect(await portAt(url)).toBe(pair.primary.port)
      return performance.now() - began
    }
    const [first, second] = [await took(), await took()]
    expect(first).toBeGreaterThan(700)
    expect(first).toBeLessThan(1_400)
    expect(second).toBeLessThan(500)
  })

  it('HOSTS-13 MUST say what each host is where none serves', async () => {
    const failure = portAt(pair.url(undefined, [hostOf(pair.standby), '127.0.0.1:1']))
    await expect(failure).rejects.toThrow(
      `no server of the address serves as read-write: ${hostOf(pair.standby)} is a standby; 127.0.0.1:1 fails`,
    )
  })

  it('HOSTS-14 MUST be told of by the doctor, each by what it serves as', async () => {
    await migratePostgres(settings(pair.url()))
    const { findings } = await checkInside(settings(pair.url()), 10_000)
    const texts = findings.filter(({ check }) => check === 'database hosts').map(({ text }) => text)
    expect(texts).toEqual([
      `${hostOf(pair.standby)} is a standby; ${hostOf(pair.primary)} is the primary and takes writes.`,
    ])
    const url = pair.url(undefined, ['127.0.0.1:1', hostOf(pair.primary)])
    const one = (await checkInside(settings(url), 10_000)).findings.find(
      ({ check }) => check === 'database hosts',
    )
    expect(one).toMatchObject({
      status: 'degraded',
      text: expect.stringContaining('127.0.0.1:1 does not answer'),
    })
  })

  it('HOSTS-15 MUST leave a server that takes no writes any more, with the statement that it refused done elsewhere', async () => {
    await using database = await openDatabase(settings(pair.url())).then(opened => ({
      ...opened,
      [Symbol.asyncDispose]: opened.close,
    }))
    const { db } = database
    const write = (name: string) =>
      db.$transaction(tx => tx.$executeRaw`INSERT INTO books.book (name, client_id) VALUES (${name}, '')`)
    await Promise.all(['a', 'b', 'c'].map(write))
    await query(pair.primary, 'ALTER SYSTEM SET default_transaction_read_only = on')
    await query(pair.primary, 'SELECT pg_reload_conf()')
    await expect(write('d')).rejects.toMatchObject({ meta: { code: '08001' } })
    const client = new pg.Client(pair.primary.url)
    await client.connect()
    await client.query('ALTER SYSTEM RESET default_transaction_read_only')
    await client.query('SELECT pg_reload_conf()')
    await client.end()
    expect(await write('e')).toBe(1)
  })
})

describe.skipIf(!isWanted)('a primary that is lost under load', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'HOSTS-20 MUST be followed by writes to the promoted standby within 10 s, and nothing acknowledged be lost: %s',
    async signal => {
      await using pair = await startPair()
      const env = { DATABASE_URL: pair.url(), SECRETS_KEY, DEMO: '1', LOG_LEVEL: 'info' }
      const server = await startProcess(env)
      try {
        const token = await tokenAt(server.address)
        const load = startSteadyLoad({ addresses: () => [server.address], token: async () => token })
        await load.more(50)
        pair.primary.signal(signal)
        await promote(pair.standby)
        const [promoted, answered] = [performance.now(), load.answered.size]
        await load.more(1)
        const tookMs = performance.now() - promoted
        await load.more(50)
        await load.stop()
        const rows = await query<{ id: string }>(pair.standby, 'SELECT id::text FROM postpaid.payment')
        const kept = new Set(rows.map(({ id }) => id))
        expect([...load.answered].filter(id => !kept.has(id))).toEqual([])
        expect(load.faults.filter(fault => !fault.startsWith('503 '))).toEqual([])
        expect(tookMs).toBeLessThan(10_000)
        console.log(
          `${signal}: ${answered} answered before the promotion, writes back ${Math.round(tookMs)} ms after it, ${load.answered.size} kept, ${load.faults.length} times 503`,
        )
      } finally {
        await server.stop()
      }
    },
    LONG_MS,
  )
})
