/**
 * Commit notifications across processes: each process notifies the others on the same PostgreSQL of its commits, by
 * LISTEN/NOTIFY on a connection of its own. A notification may be lost with its connection: then all readers poll once when
 * it is back, and they poll now and then anyway.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createBackoff } from '../async/retry.ts'
import type { Rounds, Watchdog } from '../async/watchdog.ts'
import type { CommitNotifier } from '../async/worker.ts'
import { SetupError } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import type { HostsClient } from './hosts-client.ts'
import { createClient, endClient } from './postgres.ts'
import { requireDirect } from './session.ts'

/** The commit notifiers that processes share, by the names that stand in the notifications. */
export type CommitNotifiers = Readonly<Record<string, CommitNotifier>>

interface NotifyBridgeOptions {
  readonly connectionString: string | undefined
  readonly notifiers: CommitNotifiers
  readonly log: Logger
  readonly watchdog: Watchdog
  /** How often an idle connection is probed, in milliseconds. */
  readonly probeMs?: number
}

/** Of one database: PostgreSQL keeps the channels of different ones apart. */
const CHANNEL = 'partner_graph'
/** Commits that come close together share a notification. */
const BATCH_MS = 10
const waitMs = createBackoff({ firstMs: 100, longestMs: 10_000 })
/** For connecting, and for the answer to a statement: none of them has anything to wait for. */
const TIMEOUT_MS = 2_000
/** How often an idle connection is probed: a broken one can look like a quiet one. */
const PROBE_MS = 5_000
/** Beyond what a connection and a statement may take. */
const STANDSTILL_MS = 10_000
/**
 * Never in a transaction with other writes: NOTIFY holds a lock of the whole server until its commit. Nor need that
 * commit wait for the disk, since a notification is never read later.
 */
const PREPARE = `SET synchronous_commit = off; LISTEN ${CHANNEL}`

interface Notification {
  readonly from: string
  readonly signals: readonly string[]
}

class NotifyBridge {
  readonly #options: NotifyBridgeOptions
  readonly #id = randomUUID()
  readonly #stop = new AbortController()
  readonly #unlisten: (() => void)[]
  readonly #queued = new Set<string>()
  readonly #rounds: Rounds
  readonly #running: Promise<void>
  #client: pg.Client | undefined
  #sending: Promise<void> | undefined

  constructor(options: NotifyBridgeOptions) {
    this.#options = options
    this.#rounds = options.watchdog.over('commit notifications', STANDSTILL_MS)
    this.#unlisten = Object.entries(options.notifiers).map(([name, notifier]) =>
      notifier.listen(origin => {
        if (origin !== 'remote') this.#queue(name)
      }),
    )
    this.#running = this.#run()
  }

  /** Sends what is left, where the connection answers: otherwise the others find it by polling. */
  async close(): Promise<void> {
    for (const one of this.#unlisten) one()
    this.#stop.abort()
    await this.#sending
    await this.#send()
    if (this.#client) await endClient(this.#client).catch(() => undefined)
    await this.#running
  }

  /** One connection after the other, further apart while none can be made. */
  async #run(): Promise<void> {
    let failures = 0
    while (!this.#stop.signal.aborted) {
      const stood = await this.#listen()
      failures = stood ? 0 : failures + 1
      await delay(waitMs(failures), undefined, { ref: false, signal: this.#stop.signal }).catch(
        () => undefined,
      )
    }
  }

  /** Listens on one connection until it ends; whether it ever stood. */
  async #listen(): Promise<boolean> {
    const client = this.#create()
    const ended = new Promise<void>(done => client.once('end', done))
    this.#rounds.begin()
    try {
      await client.connect()
      requireDirect(client, 'LISTEN')
      await client.query(PREPARE)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'LISTEN connection lost; polling every second')
      client.connection.stream.destroy()
      // The settings lead to the same server again.
      if (error instanceof SetupError) this.#stop.abort()
      return false
    } finally {
      this.#rounds.end()
    }
    await this.#keep(client, ended)
    return true
  }

  #create(): HostsClient {
    const client = createClient(this.#options.connectionString, 'notifications', {
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    })
    client.on('notification', ({ payload }) => this.#receive(JSON.parse(payload!)))
    return client
  }

  async #keep(client: pg.Client, ended: Promise<void>): Promise<void> {
    if (this.#stop.signal.aborted) return endClient(client).catch(() => undefined)
    this.#client = client
    const probe = setInterval(() => this.#probe(), this.#options.probeMs ?? PROBE_MS).unref()
    for (const notifier of Object.values(this.#options.notifiers)) notifier.emit('remote')
    this.#sending ??= this.#drain()
    await ended
    this.#client = undefined
    clearInterval(probe)
  }

  #probe(): void {
    this.#sending ??= this.#query('SELECT 1').then(() => this.#drain())
  }

  #receive({ from, signals: notifiers }: Notification): void {
    if (from === this.#id) return
    for (const name of notifiers) this.#options.notifiers[name]?.emit('remote')
  }

  #queue(name: string): void {
    this.#queued.add(name)
    this.#sending ??= this.#drain()
  }

  /** The first at once, those that come meanwhile together; without a connection they wait for the next. */
  async #drain(): Promise<void> {
    while (await this.#send()) {
      await delay(BATCH_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined)
      if (this.#queued.size === 0) break
    }
    this.#sending = undefined
  }

  /** Whether there was nothing to send, or it was sent. */
  async #send(): Promise<boolean> {
    const notifiers = [...this.#queued]
    if (notifiers.length === 0) return true
    this.#queued.clear()
    const notification: Notification = { from: this.#id, signals: notifiers }
    const sent = await this.#query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(notification)])
    if (!sent) for (const name of notifiers) this.#queued.add(name)
    return sent
  }

  /** Whether it succeeded; a connection on which it did not is given up. */
  async #query(sql: string, values: unknown[] = []): Promise<boolean> {
    const client = this.#client
    if (!client) return false
    this.#rounds.begin()
    try {
      await client.query(sql, values)
      return true
    } catch {
      client.connection.stream.destroy()
      return false
    } finally {
      this.#rounds.end()
    }
  }
}

/**
 * Sends this process's commit notifications and receives those of the others until closed. Never throws: it
 * reconnects.
 */
export function startNotifyBridge(options: NotifyBridgeOptions): { close(): Promise<void> } {
  const bridge = new NotifyBridge(options)
  return { close: () => bridge.close() }
}
