/**
 * Connections to one of several hosts: they are tried in turn until one is of the kind that the address asks for
 * (`target_session_attrs`), as libpq does. Each has its share of the time limit, so that one that does not answer holds up no
 * more than that, and the host that served last is tried first.
 */
import pg from 'pg'
import {
  type DatabaseAddress,
  type DatabaseHost,
  DEFAULT_PORT,
  databaseAddress,
  hostText,
  type TargetSession,
} from '../config/database-address.ts'
import { collectReported, prepareAttempt, type ReportedSettings } from '../third-party/pg.ts'
import { isRefusedUser, noServer } from './driver-errors.ts'

/** Time limit of one host where the connection has none. */
const HOST_TIMEOUT_MS = 5_000
/** A host is not tried with less, in milliseconds. */
const LEAST_MS = 50

/** The last host of this process that served, by address. */
const lastGood = new Map<string, DatabaseHost>()

type Wanted = Exclude<TargetSession, 'prefer-standby'>

/** Role of a server, as the session sees it that asked. */
export interface ServerRole {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

const REFUSED: Readonly<Record<Wanted, (role: ServerRole) => string | undefined>> = {
  any: () => undefined,
  'read-write': ({ isStandby, isReadOnly }) => {
    if (isStandby) return 'is a standby'
    return isReadOnly ? 'takes no writes' : undefined
  },
  'read-only': ({ isReadOnly }) => (isReadOnly ? undefined : 'takes writes'),
  primary: ({ isStandby }) => (isStandby ? 'is a standby' : undefined),
  standby: ({ isStandby }) => (isStandby ? undefined : 'is the primary'),
}

/** The role as PostgreSQL reports it by itself from version 14 on; a pooler does not pass it on, so that it is asked for. */
const readRole = async (client: pg.Client, reported: ReportedSettings): Promise<ServerRole> => {
  const [standby, readOnly] = [reported.get('in_hot_standby'), reported.get('default_transaction_read_only')]
  if (standby !== undefined && readOnly !== undefined)
    return { isStandby: standby === 'on', isReadOnly: standby === 'on' || readOnly === 'on' }
  const { rows } = await client.query<ServerRole>(`
    SELECT pg_catalog.pg_is_in_recovery() AS "isStandby",
      pg_catalog.current_setting('transaction_read_only') = 'on' AS "isReadOnly"`)
  return rows[0]!
}

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map(one => ({ one, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)

interface Attempt {
  readonly host: DatabaseHost
  readonly wanted: Wanted
}

type OnConnected = (error: Error | null, client?: pg.Client) => void

/** Settings of a connection to one of several hosts. */
export interface HostsOptions extends pg.ClientConfig {
  /** The one host to connect to, whatever it serves as. */
  readonly only?: DatabaseHost
}

/** A connection to the host that serves, of those in its address. */
export class HostsClient extends pg.Client {
  readonly #options: pg.ClientConfig
  readonly #url: string
  readonly #address: DatabaseAddress
  readonly #only: DatabaseHost | undefined
  #role: ServerRole | undefined

  constructor({ only, ...options }: HostsOptions) {
    const url = options.connectionString ?? 'postgresql://'
    const address = databaseAddress(url)
    const own = { ...options, connectionString: address.first }
    super(own)
    this.#options = own
    this.#url = url
    this.#address = address
    this.#only = only
  }

  /** Role of the server, once it is connected. */
  get role(): ServerRole | undefined {
    return this.#role
  }

  /** The host that it is connected to. */
  get server(): DatabaseHost {
    return { host: this.host, port: this.port }
  }

  override connect(): Promise<pg.Client>
  override connect(callback: OnConnected): void
  override connect(callback?: OnConnected): Promise<pg.Client> | undefined {
    const connecting = this.#connect()
    if (!callback) return connecting
    connecting.then(
      () => callback(null, this),
      error => callback(error),
    )
    return undefined
  }

  async #connect(): Promise<pg.Client> {
    const { target, hosts } = this.#address
    if (hosts.length === 1 && target === 'any' && !this.#only) return super.connect()
    const attempts = this.#attempts()
    const timeoutMs = this.#options.connectionTimeoutMillis || HOST_TIMEOUT_MS * attempts.length
    const end = performance.now() + timeoutMs
    const failures: string[] = []
    for (const [at, attempt] of attempts.entries()) {
      const leftMs = end - performance.now()
      if (leftMs < LEAST_MS) break
      const why = await this.#try(attempt, leftMs / (attempts.length - at))
      if (why === undefined) return this
      failures.push(`${hostText(attempt.host)} ${why}`)
    }
    if (!this.#only) lastGood.delete(this.#url)
    throw noServer(`no server of the address serves as ${target}: ${failures.join('; ')}`)
  }

  #attempts(): Attempt[] {
    if (this.#only) return [{ host: this.#only, wanted: 'any' }]
    const { hosts, target, isShuffled } = this.#address
    const last = isShuffled ? undefined : lastGood.get(this.#url)
    const inOrder = isShuffled ? shuffled(hosts) : hosts
    const order = last ? [last, ...inOrder.filter(one => hostText(one) !== hostText(last))] : inOrder
    const as = (wanted: Wanted) => order.map(host => ({ host, wanted }))
    return target === 'prefer-standby' ? [...as('standby'), ...as('any')] : as(target)
  }

  /** Tries one host; the reason why it is none, or undefined. @throws where the user or the database is refused. */
  async #try({ host, wanted }: Attempt, timeoutMs: number): Promise<string | undefined> {
    const fresh = new pg.Client(this.#options)
    if (this.#only || this.#address.hosts.length > 1)
      Object.assign(fresh, { host: host.host, port: host.port ?? DEFAULT_PORT })
    prepareAttempt(this, fresh, timeoutMs)
    const { stream } = this.connection
    const reported = collectReported(this)
    const timer = setTimeout(() => this.connection.stream.destroy(), timeoutMs)
    try {
      await super.connect()
      this.#role = await readRole(this, reported)
      const refusal = REFUSED[wanted](this.#role)
      if (refusal !== undefined) this.connection.stream.destroy()
      else if (!this.#only) lastGood.set(this.#url, host)
      return refusal
    } catch (error) {
      stream.destroy()
      if (isRefusedUser(error)) throw error
      return `fails: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`
    } finally {
      clearTimeout(timer)
    }
  }
}
