/**
 * Two sites with a line between them. The near one has the primary, the services and a gateway. At the far one stand a gateway
 * over the near services, and a server that only reads, on a streaming standby of its own.
 */
import { execFile } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { readConfig } from '#core/config/config.ts'
import { migratePostgres } from '#core/data/db.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { type Machine, makeNetwork } from '#test/failover/network.ts'
import { initCluster, makeFolder, PROGRAMS } from '#test/ops/cluster.ts'
import { SECRETS_KEY } from '#test/support/postgres.ts'
import { GATEWAY_ALONE, START_ALL, startProcess } from '#test/support/process.ts'
import { findProgram } from '#test/support/programs.ts'
import { type Line, layLine } from './line.ts'

/** Delay of each way, half of the time there and back. */
export const ONE_WAY_MS = 40
const PORT = 4000
const SLOT = 'far_site'
const LIMIT_MS = 90_000

/** The sites, by the addresses at which a client beside them reaches them. */
export interface Sites extends AsyncDisposable {
  readonly line: Line
  /** The gateway of the near site. */
  readonly near: string
  /** The gateway of the far site, over the services of the near one. */
  readonly relay: string
  /** The server of the far site on its standby. */
  readonly standby: string
  /** The primary. */
  readonly database: pg.Client
}

const within = ({ namespace }: Machine) => [findProgram('ip')!, 'netns', 'exec', namespace]

const runAsPostgres = async (machine: Machine, program: string, ...args: string[]): Promise<void> => {
  const user = [findProgram('runuser')!, '-u', 'postgres', '--', join(PROGRAMS!, program)]
  const [command, ...words] = [...within(machine), ...user, ...args]
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  await promisify(execFile)(command!, words, { env, cwd: '/', timeout: LIMIT_MS })
}

/** Both ends notice within seconds that the line is silent: each wait of either server has this limit. */
const SILENCE = [
  `wal_sender_timeout = '5s'`,
  `wal_receiver_timeout = '5s'`,
  `wal_retrieve_retry_interval = '1s'`,
]
const OWN = [
  ...[`listen_addresses = '*'`, 'fsync = off', 'shared_buffers = 64MB', 'max_connections = 150'],
  ...['wal_level = replica', `wal_receiver_status_interval = '1s'`, ...SILENCE],
]

/** Starts the PostgreSQL of a folder at a site; it ends with its machine. */
const startPostgres = (machine: Machine, data: string, lines: readonly string[]) => {
  const all = [...lines, `unix_socket_directories = '${makeFolder(`${data}-sockets`)}'`]
  appendFileSync(join(data, 'postgresql.conf'), `\n${all.join('\n')}\n`)
  return runAsPostgres(
    machine,
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-t',
    '60',
    '-l',
    join(data, 'server.log'),
    'start',
  )
}

const startPrimary = async (machine: Machine, folder: string): Promise<void> => {
  const data = makeFolder(join(folder, 'primary'))
  await initCluster(data)
  const anyone = ['all', 'replication'].map(database => `host ${database} all 0.0.0.0/0 trust`)
  appendFileSync(join(data, 'pg_hba.conf'), `${anyone.join('\n')}\n`)
  await startPostgres(machine, data, OWN)
}

const startFarStandby = async (machine: Machine, folder: string, primary: string) => {
  const data = makeFolder(join(folder, 'standby'))
  const from = ['-d', `host=${primary} user=postgres`]
  await runAsPostgres(
    machine,
    'pg_basebackup',
    ...from,
    '-D',
    data,
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
    '-C',
    '-S',
    SLOT,
  )
  appendFileSync(join(data, 'standby.signal'), '')
  const followed = `host=${primary} user=postgres connect_timeout=5 tcp_user_timeout=5000`
  await startPostgres(machine, data, [`primary_conninfo = '${followed}'`, `primary_slot_name = '${SLOT}'`])
}

const urlOf = (address: string) => `postgresql://postgres@${address}:5432/postgres`

const seed = async (url: string): Promise<void> => {
  const config = readConfig({ DATABASE_URL: url, SECRETS_KEY, DEMO: '1' })
  await migratePostgres(config)
  const app = await openApp(config, createLog('fatal'), prepareDemo)
  await app.database.close()
}

/** Makes both sites; disposing takes all of it away. */
export async function openSites(): Promise<Sites> {
  await using made = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-sites-'))
  made.defer(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o711)
  const own = makeFolder(join(folder, 'own'))
  const network = made.use(makeNetwork(2))
  const [nearSite, farSite] = network.machines as readonly [Machine, Machine]
  for (const machine of network.machines)
    made.defer(async () => {
      machine.signal('SIGKILL')
      while (machine.pids().length > 0) await delay(20)
    })
  const line = made.use(await layLine([nearSite, farSite], '10.99.80', ONE_WAY_MS))
  await startPrimary(nearSite, own)
  await seed(urlOf(nearSite.address))
  const [overLine] = line.addresses
  await startFarStandby(farSite, own, overLine)

  const common = { HOST: '0.0.0.0', DEMO: '0', SECRETS_KEY, DATABASE_POOL_SIZE: '8', LOG_LEVEL: 'info' }
  const local = urlOf('127.0.0.1')
  const nearEnv = { ...common, DATABASE_URL: local, PORT: String(PORT) }
  await startProcess(nearEnv, START_ALL, within(nearSite))
  const urls = SERVICES.map(({ name, port }) => `${name}=http://${overLine}:${port}`).join()
  const relayEnv = { ...common, DATABASE_URL: urlOf(overLine), SUBGRAPH_URLS: urls, PORT: String(PORT) }
  await startProcess(relayEnv, GATEWAY_ALONE, within(farSite))
  const standbyEnv = { ...common, DATABASE_URL: local, READ_ONLY: '1', PORT: String(PORT + 1) }
  await startProcess(standbyEnv, undefined, within(farSite))

  const database = new pg.Client(urlOf(nearSite.address))
  await database.connect()
  made.defer(() => database.end())
  const kept = made.move()
  return {
    line,
    near: `http://${nearSite.address}:${PORT}`,
    relay: `http://${farSite.address}:${PORT}`,
    standby: `http://${farSite.address}:${PORT + 1}`,
    database,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
