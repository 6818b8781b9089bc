/**
 * Moments of the database: what it shows at a time, told by one small read that all requests of a turn of the event loop share.
 * The read has a connection of its own. As long as that lives, the server has neither been started anew nor lost what it had
 * committed, so that numbers of transactions mean the same.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '../async/deadline.ts'
import { createBackoff } from '../async/retry.ts'
import type { Logger } from '../observability/log.ts'
import { IgnoredTransactions } from './snapshots.ts'

/** A connection with what was ignored while it lived: another one may be to a server that gave a number twice. */
interface Source {
  readonly connection: MomentSource
  readonly ignored: IgnoredTransactions
}

/** A moment of the database. */
export interface DatabaseMoment {
  /** Origin of it: moments of different ones cannot be compared. */
  readonly source: Source
  /** Place among the moments of its connection. */
  readonly order: number
  readonly snapshot: string
}

/** Connection by which the database tells of itself. */
export interface MomentSource {
  /** Gives the text of `pg_current_snapshot()`. @throws any error where there is no answer in time. */
  ask(): Promise<string>
  /** Gives the connection up. */
  close(): Promise<unknown> | unknown
}

/** Opens such a connection; undefined where what it tells would not be the whole truth, for as long as the process lasts. */
export type OpenMomentSource = () => Promise<MomentSource | undefined>

/** Statement that tells of a moment. */
export const SNAPSHOT = 'SELECT pg_catalog.pg_current_snapshot()::text AS snapshot'

/** Time after which a connection that does not answer is given up, in milliseconds. */
const WAIT_MS = 250

const waitMs = createBackoff({ firstMs: 100, longestMs: 10_000 })

/** Reads moments, and compares them. */
export class Moments {
  readonly #open: OpenMomentSource
  readonly #log: Pick<Logger, 'debug'> | undefined
  readonly #stop = new AbortController()
  #source: Source | undefined
  #connecting: Promise<void> | undefined
  #order = 0
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<DatabaseMoment | undefined> | undefined

  constructor(open: OpenMomentSource, log?: Pick<Logger, 'debug'>) {
    this.#open = open
    this.#log = log
  }

  /** Whether the database can be asked now. */
  get areKnown(): boolean {
    return this.#source !== undefined
  }

  /** Begins to connect; until it has, and after it was lost, no moment is known. */
  start(): void {
    this.#connecting ??= this.#connect()
  }

  /** Reads a moment that is not before this call; undefined where none can be read now. */
  now(): Promise<DatabaseMoment | undefined> {
    if (!this.#source) return Promise.resolve(undefined)
    // A question that is under way may have been answered before this call.
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const asked = this.#ask()
      this.#asking = asked
      return asked
    })
    return this.#next
  }

  /** Whether the database shows at `later` what it showed at `earlier`. */
  areAlike(earlier: DatabaseMoment, later: DatabaseMoment): boolean {
    const { source } = earlier
    return source === later.source && source.ignored.areAlike(earlier.snapshot, later.snapshot)
  }

  /**
   * Makes the function that takes the number of a transaction, its `pg_current_xact_id()`, which changes nothing that answers show;
   * call this before it begins. Undefined while nothing is compared.
   */
  ignoring(): ((transaction: string) => void) | undefined {
    const ignored = this.#source?.ignored
    return ignored && (transaction => ignored.add(transaction))
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#connecting
    await this.#asking
    await this.#lose()
  }

  async #ask(): Promise<DatabaseMoment | undefined> {
    const source = this.#source
    if (!source) return undefined
    try {
      const snapshot = await withTimeout(source.connection.ask(), WAIT_MS, () => {
        throw new Error(`the database did not tell what is committed within ${WAIT_MS} ms`)
      })
      this.#order += 1
      return { source, order: this.#order, snapshot }
    } catch (error) {
      this.#log?.debug(
        { err: error },
        'answers are made anew until the database tells again what is committed',
      )
      await this.#lose()
      this.#connecting = this.#connect()
      return undefined
    }
  }

  async #lose(): Promise<void> {
    const source = this.#source
    this.#source = undefined
    await Promise.resolve(source?.connection.close()).catch(() => undefined)
  }

  /** Connects, further apart while it fails. */
  async #connect(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted; failures += 1) {
      await delay(failures === 0 ? 0 : waitMs(failures), undefined, {
        ref: false,
        signal: this.#stop.signal,
      }).catch(() => undefined)
      try {
        const connection = await this.#open()
        if (this.#stop.signal.aborted) return void (await connection?.close())
        this.#source = connection && { connection, ignored: new IgnoredTransactions() }
        return
      } catch {
        // The database is away; others tell of that.
      }
    }
  }
}
