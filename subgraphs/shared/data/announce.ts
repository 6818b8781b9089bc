/**
 * Signals across processes: what one process commits is announced to the others on the same PostgreSQL, by
 * LISTEN/NOTIFY on a connection of its own. An announcement may be lost with its connection: then everyone looks
 * once it stands again, and those who follow look now and then anyway.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log.ts'
import type { Signal } from './signal.ts'

/** The signals that processes share, by the names under which they are announced. */
export type Signals = Readonly<Record<string, Signal>>

export interface AnnouncerOptions {
  readonly connectionString: string | undefined
  readonly signals: Signals
  readonly log: Logger
}

/** Of one database: PostgreSQL keeps the channels of different ones apart. */
const CHANNEL = 'partner_graph'
/** Commits that come close together are announced together. */
const GATHER_MS = 10
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000
const TIMEOUT_MS = 5_000
/** How often a connection on which nothing is announced is tried: a broken one can look like a quiet one. */
const PROBE_MS = 15_000

/**
 * Never in a transaction with other writes: NOTIFY holds a lock of the whole server until its commit. Nor need that
 * commit wait for the disk, since an announcement is nothing to be kept.
 */
const PREPARE = `SET synchronous_commit = off; LISTEN ${CHANNEL}`

interface Announcement {
  readonly from: string
  readonly signals: readonly string[]
}

class Announcer {
  readonly #options: AnnouncerOptions
  readonly #id = randomUUID()
  readonly #stop = new AbortController()
  readonly #unlisten: (() => void)[]
  readonly #waiting = new Set<string>()
  readonly #running: Promise<void>
  #client: pg.Client | undefined
  #sending: Promise<void> | undefined

  constructor(options: AnnouncerOptions) {
    this.#options = options
    this.#unlisten = Object.entries(options.signals).map(([name, signal]) =>
      signal.listen(origin => {
        if (origin === 'here') this.#announce(name)
      }),
    )
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    for (const one of this.#unlisten) one()
    this.#stop.abort()
    await this.#sending
    await this.#send()
    await this.#client?.end().catch(() => undefined)
    await this.#running
  }

  /** One connection after the other, further apart while none can be made. */
  async #run(): Promise<void> {
    let wait = FIRST_WAIT_MS
    while (!this.#stop.signal.aborted) {
      const stood = await this.#listen()
      wait = stood ? FIRST_WAIT_MS : Math.min(2 * wait, LONGEST_WAIT_MS)
      await delay(wait, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  /** Listens on one connection until it ends; whether it ever stood. */
  async #listen(): Promise<boolean> {
    const client = this.#create()
    const ended = new Promise<void>(done => client.once('end', done))
    try {
      await client.connect()
      await client.query(PREPARE)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'what other processes commit is found by looking alone for now')
      await client.end().catch(() => undefined)
      return false
    }
    await this.#follow(client, ended)
    return true
  }

  #create(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#options.connectionString,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      application_name: 'partner-graph announcements',
    })
    // The end that follows an error is what counts.
    client.on('error', () => undefined)
    client.on('notification', ({ payload }) => this.#hear(JSON.parse(payload!)))
    return client
  }

  async #follow(client: pg.Client, ended: Promise<void>): Promise<void> {
    if (this.#stop.signal.aborted) return client.end()
    this.#client = client
    const probe = setInterval(() => this.#probe(), PROBE_MS).unref()
    for (const signal of Object.values(this.#options.signals)) signal.emit('elsewhere')
    this.#sending ??= this.#drain()
    await ended
    this.#client = undefined
    clearInterval(probe)
  }

  #probe(): void {
    this.#sending ??= this.#query('SELECT 1').then(() => this.#drain())
  }

  #hear({ from, signals }: Announcement): void {
    if (from === this.#id) return
    for (const name of signals) this.#options.signals[name]?.emit('elsewhere')
  }

  #announce(name: string): void {
    this.#waiting.add(name)
    this.#sending ??= this.#drain()
  }

  /** The first at once, those that come meanwhile together; without a connection they wait for the next. */
  async #drain(): Promise<void> {
    while (await this.#send()) {
      await delay(GATHER_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined)
      if (this.#waiting.size === 0) break
    }
    this.#sending = undefined
  }

  /** Whether there was nothing to send, or it was sent. */
  async #send(): Promise<boolean> {
    const signals = [...this.#waiting]
    if (signals.length === 0) return true
    this.#waiting.clear()
    const announcement: Announcement = { from: this.#id, signals }
    const sent = await this.#query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(announcement)])
    if (!sent) for (const name of signals) this.#waiting.add(name)
    return sent
  }

  /** Whether it succeeded; a connection on which it did not is given up. */
  async #query(sql: string, values: unknown[] = []): Promise<boolean> {
    const client = this.#client
    if (!client) return false
    return client.query(sql, values).then(
      () => true,
      () => {
        client.connection.stream.destroy()
        return false
      },
    )
  }
}

/** Announces this process's signals and gives those of the others until closed. Never throws: it tries again. */
export function startAnnouncer(options: AnnouncerOptions): { close(): Promise<void> } {
  const announcer = new Announcer(options)
  return { close: () => announcer.close() }
}
