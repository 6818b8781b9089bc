/** The server that is loaded: as `npm start` starts it, on a PostgreSQL cluster of its own, with partners that have nothing special. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { NewClient } from '#core/access/client-input.ts'
import { secretOf } from '../stage/clients.ts'
import { Postgres } from '../stage/cluster.ts'
import { prepareDatabase } from '../stage/database.ts'
import { undoAtExit } from '../stage/leftovers.ts'
import { Process, stablePort } from '../stage/process.ts'
import type { Gauge } from './gauge.ts'

const ROOT = join(import.meta.dirname, '../..')
const GAUGE_MS = 30_000
const LOOK_MS = 50
/** Of a second, as Linux counts them for processes. */
const TICKS = 100

/** Partners that load it. */
export const LOADING: readonly string[] = Array.from({ length: 10 }, (_, index) => `load-${index}`)
/** A partner that asks for little while others ask for too much. */
export const POLITE = 'polite'

const CLIENTS: readonly NewClient[] = [...LOADING, POLITE].map(id => ({
  id,
  role: 'partner',
  dummyCards: true,
  secret: secretOf(id),
}))

export interface LoadedServer extends AsyncDisposable {
  readonly port: number
  readonly postgres: Postgres
  token(client: string): Promise<string>
  /** Figures of what it holds now, once garbage is collected. */
  gauge(): Promise<Gauge>
  /** Memory that it occupies, in bytes, without anything being collected. */
  resident(): number
  /** Processor time that it has taken. */
  cpuSeconds(): number
  /** Stops it in order. @returns its exit code. */
  stop(): Promise<number | null>
  tail(): string
}

const tokenAt = async (address: string, client: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${secretOf(client)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`no token for ${client}: ${response.status}`)
  return access_token
}

const readGauges = (file: string): Gauge[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    : []

/**
 * Starts it.
 * @param options onDisk: whether the database stands in a folder of this machine, for what a small disk in memory cannot hold.
 * @throws Error where PostgreSQL is missing, or it does not start.
 */
export async function startLoaded({ onDisk = false } = {}): Promise<LoadedServer> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-load-'))
  chmodSync(folder, 0o755)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const isOver = undoAtExit(remove)
  stack.defer(() => {
    remove()
    isOver()
  })
  const postgres = stack.use(await Postgres.open(folder, !onDisk))
  const place = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL_SIZE: '10',
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
  await prepareDatabase({ ...place, DEMO: '1' }, CLIENTS)
  const gauges = join(folder, 'gauges.ndjson')
  const server = new Process({
    name: 'server',
    args: [
      '--max-semi-space-size=16',
      '--expose-gc',
      ...['--import', pathToFileURL(join(import.meta.dirname, 'gauge.ts')).href],
      ...['--import', pathToFileURL(join(ROOT, 'compile-cache.js')).href],
      join(ROOT, 'gateway/main.ts'),
    ],
    env: {
      ...place,
      MALLOC_TRIM_THRESHOLD_: '131072',
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOW: '127.0.0.1',
      PAGES: '0',
      GAUGE_FILE: gauges,
      TOKEN_LIFETIME_SECONDS: '86400',
    },
    logFile: join(folder, 'server.log'),
    port: await stablePort(),
    readyPath: '/health/ready',
  })
  stack.defer(() => server.kill())
  await server.start()
  const kept = stack.move()
  return {
    port: server.port,
    postgres,
    token: client => tokenAt(server.address, client),
    async gauge() {
      const before = readGauges(gauges).length
      server.signal('SIGUSR2')
      for (const until = Date.now() + GAUGE_MS; Date.now() < until; await delay(LOOK_MS)) {
        const now = readGauges(gauges)
        if (now.length > before) return now.at(-1)!
      }
      throw new Error(`the server says nothing of its memory:\n${server.tail()}`)
    },
    resident: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) * 1024,
    cpuSeconds: () => {
      const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
    stop: () => server.stop(),
    tail: () => server.tail(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
