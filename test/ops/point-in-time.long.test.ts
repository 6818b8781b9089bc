/** Recovery of PostgreSQL to a moment, as docs/operating.md describes it: base backup, archived log, a time. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServerProcess, startProcess } from '#test/support/process.ts'
import { type SteadyLoad, startSteadyLoad, tokenAt } from '#test/support/steady-load.ts'
import {
  CAN_MAKE_CLUSTERS,
  type Cluster,
  initCluster,
  makeFolder,
  run,
  startCluster,
  touch,
} from './cluster.ts'

const LONG_MS = 180_000
const SECRETS_KEY = Buffer.alloc(32, 4).toString('base64')
const folder = mkdtempSync(join(tmpdir(), 'partner-graph-recovery-'))
// The user of the cluster passes through.
chmodSync(folder, 0o711)
const running: { stop(): Promise<unknown> }[] = []

const started = <T extends { stop(): Promise<unknown> }>(one: T): T => {
  running.unshift(one)
  return one
}

const query = async <Row extends object>(cluster: Cluster, sql: string): Promise<Row[]> => {
  const client = new pg.Client(cluster.url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const serve = async (cluster: Cluster, env: Record<string, string> = {}): Promise<ServerProcess> =>
  started(
    await startProcess({ DATABASE_URL: cluster.url, SECRETS_KEY, DEMO: '1', LOG_LEVEL: 'info', ...env }),
  )

const paymentsIn = async (cluster: Cluster): Promise<Set<string>> =>
  new Set((await query<{ id: string }>(cluster, 'SELECT id::text FROM postpaid.payment')).map(({ id }) => id))

let load: SteadyLoad | undefined
let archive: string
let original: Cluster

beforeAll(async () => {
  if (!CAN_MAKE_CLUSTERS) return
  archive = makeFolder(join(folder, 'archive'))
  const data = makeFolder(join(folder, 'original'))
  await initCluster(data)
  original = started(
    await startCluster(data, archive, [
      'archive_mode = on',
      `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
    ]),
  )
}, LONG_MS)
afterAll(async () => {
  await load?.stop()
  for (const one of running) await one.stop().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
}, LONG_MS)

it.skipIf(!CAN_MAKE_CLUSTERS)(
  'PITR-01 MUST come back to a moment with every payment that was answered before it, and none of the accident after',
  async () => {
    const server = await serve(original)
    const token = await tokenAt(server.address)
    load = startSteadyLoad({ addresses: () => [server.address], token: async () => token })
    await load.more(30)
    const base = makeFolder(join(folder, 'base'))
    await run(
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      String(original.port),
      '-D',
      base,
      '-X',
      'stream',
      '-c',
      'fast',
    )
    await load.more(30)
    await load.stop()
    const before = new Set(load.answered)
    const [moment] = await query<{ at: string }>(original, 'SELECT clock_timestamp()::text AS at')
    const after = startSteadyLoad({ addresses: () => [server.address], token: async () => token })
    await after.more(10)
    await after.stop()
    await server.stop()
    await query(original, 'DELETE FROM postpaid.payment')
    expect(await paymentsIn(original)).toEqual(new Set())
    const [last] = await query<{ file: string }>(original, 'SELECT pg_walfile_name(pg_switch_wal()) AS file')
    await expect.poll(() => existsSync(join(archive, last!.file)), { timeout: 30_000 }).toBe(true)
    await original.stop()

    touch(join(base, 'recovery.signal'))
    const recovered = started(
      await startCluster(base, archive, [
        'archive_mode = off',
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${moment!.at}'`,
        `recovery_target_action = 'promote'`,
      ]),
    )
    await expect
      .poll(() => query(recovered, 'SELECT pg_is_in_recovery() AS waiting'), { timeout: 30_000 })
      .toEqual([{ waiting: false }])
    const found = await paymentsIn(recovered)
    expect([...before].filter(id => !found.has(id))).toEqual([])
    expect([...after.answered].filter(id => found.has(id))).toEqual([])

    const again = await serve(recovered, { OUTBOUND: '0' })
    const anew = await tokenAt(again.address)
    const more = startSteadyLoad({ addresses: () => [again.address], token: async () => anew })
    await more.more(5)
    await more.stop()
    expect([...load.faults, ...after.faults, ...more.faults]).toEqual([])
    console.log(
      `${before.size} payments from before the moment are there, ${after.answered.size} after it are not`,
    )
  },
  LONG_MS,
)
