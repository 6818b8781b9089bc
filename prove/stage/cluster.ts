/** PostgreSQL of the run: a cluster of its own, on a disk of its own where one can be mounted, with a standby where wanted. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  CAN_MAKE_CLUSTERS,
  type Cluster,
  initCluster,
  makeFolder,
  promote,
  run,
  runWith,
  startCluster,
  startStandby,
} from '#test/ops/cluster.ts'
import { again } from './again.ts'
import { mountDisk, unmountDisk } from './disk.ts'
import { undoAtExit } from './leftovers.ts'

export { CAN_MAKE_CLUSTERS }

const SETTING_MS = 300
const LINES = [
  'max_connections = 60',
  'max_wal_size = 96MB',
  'min_wal_size = 32MB',
  'shared_buffers = 64MB',
  'synchronous_commit = on',
]

const CATCH_UP_MS = 10_000
const LOOK_MS = 50

/** Resolves when a standby acknowledges commits, and has all that was committed before it did. */
const untilCaughtUp = async (client: pg.Client): Promise<void> => {
  const isTrue = async (condition: string, ...values: string[]) => {
    const { rows } = await client.query(`SELECT 1 FROM pg_stat_replication WHERE ${condition}`, values)
    return rows.length > 0
  }
  const until = Date.now() + CATCH_UP_MS
  const wait = async (condition: string, ...values: string[]) => {
    while (!(await isTrue(condition, ...values))) {
      if (Date.now() > until) throw new Error('the standby does not follow')
      await delay(LOOK_MS)
    }
  }
  await wait(`sync_state = 'sync'`)
  // The process that tells commits to wait reads the setting for itself.
  await delay(SETTING_MS)
  const { rows } = await client.query<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn')
  await wait(`sync_state = 'sync' AND flush_lsn >= $1::pg_lsn`, rows[0]!.lsn)
}

/** Ends a cluster that may not have come up, and takes its folder away. */
const endCluster = (data: string): void => {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  } catch {
    // It has not been started, or has ended.
  }
  // Its other processes may still write while they end.
  rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

export class Postgres implements AsyncDisposable {
  readonly #folder: string
  /** Disk that the primary writes to; undefined where none could be mounted. */
  readonly disk: string | undefined
  #primary!: Cluster
  #standby: Cluster | undefined
  #made = 0
  #isOver: () => void = () => undefined

  private constructor(folder: string, disk: string | undefined) {
    this.#folder = folder
    this.disk = disk
  }

  /** Makes it, and starts it with an empty database. @param mounts whether on a small disk in memory. */
  static async open(folder: string, mounts = true): Promise<Postgres> {
    const place = makeFolder(join(folder, 'pg'))
    const isMounted = mounts && mountDisk(place)
    const postgres = new Postgres(place, isMounted ? place : undefined)
    postgres.#isOver = undoAtExit(() => postgres.#end())
    makeFolder(join(folder, 'sockets'))
    await postgres.#init(folder)
    return postgres
  }

  async #init(folder: string): Promise<void> {
    const data = makeFolder(join(this.#folder, `data-${++this.#made}`))
    await initCluster(data)
    this.#primary = await startCluster(data, join(folder, 'sockets'), LINES)
  }

  get port(): number {
    return this.#primary.port
  }

  get url(): string {
    return this.#primary.url
  }

  /** Makes a standby that has what is committed before a commit is answered. @throws Error where there is none in the end. */
  async addStandby(): Promise<void> {
    const data = join(this.#folder, `data-${++this.#made}`)
    const sockets = join(this.#folder, '..', 'sockets')
    try {
      const lines = [`cluster_name = 'standby_${this.#made}'`]
      this.#standby = await startStandby(this.#primary, data, sockets, lines)
      await this.asAdministrator(async client => {
        await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
        await client.query('SELECT pg_reload_conf()')
        await untilCaughtUp(client)
      })
    } catch (error) {
      endCluster(data)
      this.#standby = undefined
      await this.resetSettings()
      throw error
    }
  }

  /** Undoes the settings that were changed while it ran. */
  resetSettings(): Promise<void> {
    return again(() =>
      this.asAdministrator(async client => {
        await client.query('ALTER SYSTEM RESET ALL')
        await client.query('SELECT pg_reload_conf()')
      }),
    )
  }

  /** Kills the primary for good, and makes the standby the primary; a new standby has to be added. */
  async failOver(): Promise<void> {
    this.signal('SIGKILL')
    const lost = this.#primary.data
    this.#primary = this.#standby!
    this.#standby = undefined
    await promote(this.#primary)
    await this.resetSettings()
    rmSync(lost, { recursive: true, force: true })
  }

  signal(name: NodeJS.Signals): void {
    this.#primary.signal(name)
  }

  /** Starts it again where it has ended. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { data } = this.#primary
    await runWith(env, 'pg_ctl', '-D', data, '-w', '-t', '50', '-l', join(data, 'server.log'), 'start')
  }

  /** Stops it in order, and starts it with another environment. */
  async restartWith(env: Readonly<Record<string, string>>): Promise<void> {
    await run('pg_ctl', '-D', this.#primary.data, '-w', '-m', 'fast', 'stop')
    await this.restart(env)
  }

  /** Whether a new connection is taken and a statement answered. */
  async answers(): Promise<boolean> {
    const client = this.#client(2_000)
    try {
      await client.connect()
      await client.query('SELECT 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Process ids of the backends that serve clients. */
  async backends(): Promise<number[]> {
    return this.asAdministrator(async client => {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      )
      return rows.map(({ pid }) => pid)
    })
  }

  async asAdministrator<T>(act: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = this.#client(10_000)
    await client.connect()
    try {
      return await act(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  #client(ms: number): pg.Client {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: ms,
      query_timeout: ms,
    })
    client.on('error', () => undefined)
    return client
  }

  /** Number of the postmaster, which is the group of its processes. */
  get pid(): number {
    return Number(readFileSync(join(this.#primary.data, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  #end(): void {
    for (const cluster of [this.#standby, this.#primary]) {
      try {
        cluster?.signal('SIGKILL')
      } catch {
        // It has ended already.
      }
    }
    if (this.disk) unmountDisk(this.disk)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end()
    this.#isOver()
  }
}
