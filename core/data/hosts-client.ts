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
import { SetupError } from '../errors/catalogue.ts'
import { changeStartup, prepareAttempt, sendUnnamed } from '../third-party/pg.ts'
import { isRefusedParameter, isRefusedUser, noServer } from './driver-errors.ts'
import { askSession, type BackendSession, requireReadOnly, type ServerRole, startupOf } from './session.ts'

/** Time limit of one host where the connection has none. */
const HOST_TIMEOUT_MS = 5_000
/** A host is not tried with less, in milliseconds. */
const LEAST_MS = 50

/** The last host of this process that served, by address. */
const lastGood = new Map<string, DatabaseHost>()

type Wanted = Exclude<TargetSession, 'prefer-standby'>

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

/** Addresses whose poolers refuse parameters of sessions. */
const refusing = new Set<string>()

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
  /** Whether a session that would take writes is none. */
  readonly onlyReads?: boolean
}

/** A connection to the host that serves, of those in its address. */
export class HostsClient extends pg.Client {
  readonly #options: pg.ClientConfig
  readonly #url: string
  readonly #address: DatabaseAddress
  readonly #only: DatabaseHost | undefined
  readonly #onlyReads: boolean
  #session: BackendSession | undefined
  /** Whether the last attempt gave no parameters but those that every pooler knows. */
  #isReduced = false

  constructor({ only, onlyReads = false, ...options }: HostsOptions) {
    const url = options.connectionString ?? 'postgresql://'
    const address = databaseAddress(url)
    const own = { ...options, connectionString: address.first }
    super(own)
    this.#options = own
    this.#url = url
    this.#address = address
    this.#only = only
    this.#onlyReads = onlyReads
    // A lost connection shows in the failure of its statements, or to its next user. Unheard, its loss would end the process,
    // between two users as well as before the first, while the server is asked for its role.
    this.on('error', () => undefined)
    changeStartup(this, parameters => {
      this.#isReduced = refusing.has(url)
      return startupOf(parameters, this.#isReduced)
    })
  }

  /** Role of the server, once it is connected. */
  get role(): ServerRole | undefined {
    return this.#session
  }

  /**
   * Whether a pooler stands between, which may give each transaction to another session of the server: what is set, prepared,
   * locked or listened to beyond one is not to be found again.
   */
  get isPooled(): boolean {
    return this.#session?.isPooled ?? false
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
    if (hosts.length === 1 && target === 'any' && !this.#only) return this.#connectOnly()
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

  /** The one host, whatever it serves as; a pooler that takes the connection may have no server behind it. */
  async #connectOnly(): Promise<pg.Client> {
    const timeoutMs = this.#options.connectionTimeoutMillis || HOST_TIMEOUT_MS
    await this.#open(timeoutMs)
    const timer = setTimeout(() => this.connection.stream.destroy(), timeoutMs)
    try {
      await this.#ask()
      return this
    } catch (error) {
      this.connection.stream.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Makes the connection, without the parameters of the session where a pooler knows none of them. */
  async #open(timeoutMs: number): Promise<void> {
    try {
      await super.connect()
    } catch (error) {
      if (!isRefusedParameter(error) || this.#isReduced) throw error
      refusing.add(this.#url)
      const { host, port } = this
      this.#renew({ host, port }, timeoutMs)
      await super.connect()
    }
  }

  #renew({ host, port }: DatabaseHost, timeoutMs: number): void {
    const fresh = new pg.Client(this.#options)
    prepareAttempt(this, Object.assign(fresh, { host, port }), timeoutMs)
  }

  /** Asks the server for what the connection has come to. */
  async #ask(): Promise<BackendSession> {
    this.#session = await askSession(this)
    if (this.#onlyReads) requireReadOnly(this.#session)
    if (this.#session.isPooled) sendUnnamed(this)
    return this.#session
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
    const { hosts } = this.#address
    const isNamed = this.#only || hosts.length > 1
    this.#renew(isNamed ? { host: host.host, port: host.port ?? DEFAULT_PORT } : this.server, timeoutMs)
    const timer = setTimeout(() => this.connection.stream.destroy(), timeoutMs)
    try {
      await this.#open(timeoutMs)
      const refusal = REFUSED[wanted](await this.#ask())
      if (refusal !== undefined) this.connection.stream.destroy()
      else if (!this.#only) lastGood.set(this.#url, host)
      return refusal
    } catch (error) {
      this.connection.stream.destroy()
      if (isRefusedUser(error) || error instanceof SetupError) throw error
      return `fails: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`
    } finally {
      clearTimeout(timer)
    }
  }
}
