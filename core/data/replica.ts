/**
 * Reads from a replica that are as new as from the primary: before each, the primary is asked how far its log has come, and the
 * replica has to have replayed that. So whatever was acknowledged to anybody, by any process, before the read began is seen.
 * Reads that begin at the same time share the question. A replica that is away, or behind for longer than a moment, is left out
 * until it has caught up; its reads are the primary's.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { withTimeout } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../observability/log.ts'
import { openPool } from './postgres.ts'
import { SilentConnections } from './silent-connections.ts'
import {
  hasReached,
  type PositionRow,
  PRIMARY_POSITION,
  positionOf,
  REPLAYED_POSITION,
  type WalPosition,
} from './wal-positions.ts'

/** For a connection, and for an answer about a position: the primary is there, so that waiting longer helps nobody. */
const ANSWER_MS = 500
/** How long a read waits for the replica to replay what it lacks. */
const BEHIND_MS = 100
const FIRST_WAIT_MS = 2
/** How often the replica is looked at, whether or not anything is read. */
const LOOK_MS = 1_000

/** Reads by where they were done: `replica`, or at the primary since the replica was `behind`, `away`, `busy` or `failed`. */
type ReadPlace = 'replica' | 'behind' | 'away' | 'busy' | 'failed'

/** State of the replica as the operator sees it. */
export interface ReplicaFigures {
  /** A clause on why it is left out; undefined while it is used. */
  readonly fault: { readonly reason: string; readonly since: Date } | undefined
  /** Bytes of the log that it lacked when it was last asked; undefined where it did not answer. */
  readonly lagBytes: number | undefined
  readonly reads: Readonly<Record<ReadPlace, number>>
}

/** The replica is behind, and not away. */
class BehindError extends Error {
  override readonly name = 'BehindError'
}

/** All connections to the replica are in use, so that nothing is known of it. */
class BusyError extends Error {
  override readonly name = 'BusyError'
}

const late = (what: string) => () => {
  throw new Error(`${what} within ${ANSWER_MS} ms`)
}

/** A connection without an answer never ends by itself. */
const giveUp = (client: PoolClient): void => {
  client.connection.stream.destroy()
  client.release(true)
}

/** `query_canceled`: the time of a statement was up, so that there is none for another try. */
const CANCELED = '57014'

/** Reads from a replica. */
export class Replica {
  readonly #primary: Pool
  readonly #pool: Pool
  readonly #connections: SilentConnections
  readonly #log: Logger | undefined
  readonly #timer: NodeJS.Timeout
  /** How far the server of each connection was when it was last asked; a server that starts anew has other connections. */
  readonly #replayed = new WeakMap<PoolClient, WalPosition>()
  readonly #reads: Record<ReadPlace, number> = { replica: 0, behind: 0, away: 0, busy: 0, failed: 0 }
  #asking: Promise<unknown> = Promise.resolve()
  #next: Promise<WalPosition> | undefined
  #looking: Promise<void> | undefined
  #fault: ReplicaFigures['fault'] = { reason: 'the read replica was not looked at yet', since: new Date() }
  #place: 'behind' | 'away' = 'away'
  #lagBytes: number | undefined
  /** Reads that the replica is at work on. */
  #running = 0

  constructor(primary: Pool, config: Config, log?: Logger) {
    const own = { ...config, databaseUrl: config.databaseReplicaUrl, readOnly: true }
    this.#primary = primary
    this.#pool = openPool(own)
    this.#connections = new SilentConnections(this.#pool, { ...own, isReplaceable: true }, log)
    this.#log = log
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
    this.#look()
  }

  get figures(): ReplicaFigures {
    return { fault: this.#fault, lagBytes: this.#lagBytes, reads: this.#reads }
  }

  /**
   * Reads from the replica.
   * @returns undefined where it cannot: then the primary is to be read. @throws Error where the time of the statement was up.
   */
  async read(config: QueryConfig): Promise<QueryResult | undefined> {
    if (this.#fault) return this.#passOn(this.#place)
    let client: PoolClient
    try {
      client = await this.#connectAt(await this.#position())
    } catch (error) {
      return this.#passOn(this.#leaveOut(error as Error))
    }
    this.#running += 1
    try {
      const result = await client.query(config)
      client.release()
      this.#reads.replica += 1
      return result
    } catch (error) {
      const { code, severity } = error as { code?: unknown; severity?: unknown }
      if (severity === 'ERROR') client.release()
      else giveUp(client)
      if (code === CANCELED) throw error
      // One that the log's replay had to end, or whose connection was lost; one that is wrong is refused by the primary too.
      return this.#passOn('failed')
    } finally {
      this.#running -= 1
    }
  }

  beginClosing(): void {
    this.#connections.beginClosing()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#connections.beginClosing()
    await this.#looking
    const timer = setTimeout(() => this.#connections.endAll(), ANSWER_MS)
    await this.#pool.end().finally(() => clearTimeout(timer))
  }

  #passOn(place: ReadPlace): undefined {
    this.#reads[place] += 1
    return undefined
  }

  /** How far the primary has come by now. A question that is under way may have been answered before: the next one counts. */
  #position(): Promise<WalPosition> {
    this.#next ??= this.#asking.then(() => {
      this.#next = undefined
      const asked = this.#askPrimary()
      this.#asking = asked.catch(() => undefined)
      return asked
    })
    return this.#next
  }

  async #askPrimary(): Promise<WalPosition> {
    const { rows } = await withTimeout(
      this.#primary.query<PositionRow>({ name: 'wal position', text: PRIMARY_POSITION }),
      ANSWER_MS,
      late('the primary did not tell how far it has come'),
    )
    const position = positionOf(rows[0]!)
    if (!position) throw new Error('the primary did not tell how far it has come')
    return position
  }

  /** A connection whose server has replayed so much. */
  async #connectAt(needed: WalPosition): Promise<PoolClient> {
    const connecting = this.#pool.connect()
    const client = await withTimeout(connecting, ANSWER_MS, () => {
      connecting.then(one => one.release()).catch(() => undefined)
      if (this.#running > 0 && this.#pool.totalCount >= this.#pool.options.max)
        throw new BusyError('all connections are in use')
      return late('it gave no connection')()
    })
    try {
      await this.#waitFor(client, needed)
      return client
    } catch (error) {
      if (error instanceof BehindError) client.release()
      else giveUp(client)
      throw error
    }
  }

  async #waitFor(client: PoolClient, needed: WalPosition): Promise<void> {
    if (hasReached(this.#replayed.get(client), needed)) return
    const end = performance.now() + BEHIND_MS
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      const position = await this.#askReplica(client)
      if (position) this.#replayed.set(client, position)
      this.#lagBytes = position && Math.max(0, Number(needed.lsn - position.lsn))
      if (hasReached(position, needed)) return
      // One that was promoted is none any more: another connection finds one that is.
      if (!position)
        throw new Error(
          'it receives nothing from the primary, or does not tell: its user needs the rights of pg_monitor',
        )
      if (performance.now() + waitMs > end)
        throw new BehindError(`the read replica is ${this.#lagBytes} bytes behind the primary`)
      await delay(waitMs)
    }
  }

  async #askReplica(client: PoolClient): Promise<WalPosition | undefined> {
    const { rows } = await withTimeout(
      client.query<PositionRow>({ name: 'replayed position', text: REPLAYED_POSITION }),
      ANSWER_MS,
      late('it did not answer'),
    )
    return positionOf(rows[0]!)
  }

  #look(): void {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined
    })
  }

  async #lookNow(): Promise<void> {
    try {
      const client = await this.#connectAt(await this.#position())
      client.release()
    } catch (error) {
      this.#leaveOut(error as Error)
      return
    }
    if (this.#fault) this.#log?.info({ was: this.#fault.reason }, 'the read replica is read from')
    this.#fault = undefined
  }

  #leaveOut(error: Error): ReadPlace {
    if (error instanceof BusyError) return 'busy'
    const isBehind = error instanceof BehindError
    const reason = isBehind ? error.message : `the read replica cannot be used: ${error.message}`
    if (!isBehind) this.#lagBytes = undefined
    if (!this.#fault) this.#log?.warn({ err: error }, `${reason}; the primary is read until it can`)
    this.#fault = { reason, since: this.#fault?.since ?? new Date() }
    this.#place = isBehind ? 'behind' : 'away'
    return this.#place
  }
}
