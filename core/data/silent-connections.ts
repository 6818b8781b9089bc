/**
 * Connections that went silent: a firewall forgot them, or the host behind them hangs, and no end of the connection is
 * reported. `statement_timeout` is the server's clock, which such a connection never hears of, and waiting as long as a
 * statement may take would hold up all requests behind it. So where no byte came for a second, PostgreSQL is asked over a
 * connection of its own whether it is at work on the statement. Where it waits for us instead, the connection is given up,
 * and the locks of its transaction are free again. A long statement that is being executed goes on.
 */
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { type DatabaseHost, databaseAddress, hostText, isForWriting } from '../config/database-address.ts'
import type { Logger } from '../observability/log.ts'
import { bytesReadOf, watchStatements } from '../third-party/pg.ts'
import { type Backend, createAsker, endUnused, endWaiting, isReplaced } from './backends.ts'
import { connectionLost, isReadOnlyRefusal, statementFailure } from './driver-errors.ts'

const TICK_MS = 250
/** Counted in ticks, so that a process that was busy itself looks at what has come meanwhile before it blames others. */
const SILENT_TICKS = 4
/** While the process stops, an answer has to come by itself within so many. */
const CLOSING_TICKS = 8
/** The longest a timer can wait. */
const UNLIMITED_MS = 2 ** 31 - 1

/** One connection of the pool. */
interface Watched extends Backend {
  readonly client: pg.PoolClient
  inFlight: number
  isInUse: boolean
  /** Bytes that had come by the last tick, and for how many ticks none has while an answer is due. */
  bytes: number
  quietTicks: number
  /** At how many PostgreSQL is asked. */
  askAtTicks: number
  /** When a statement was last answered, in milliseconds. */
  heardAt: number
  /** Its server takes no writes any more: it is given up with the end of its use. */
  isDemoted: boolean
  /** A transaction has lifted the server's limit, as an import does: then ours is lifted with it. */
  isUnlimited: boolean
}

const lifts = (text: string): boolean => text.includes("set_config('statement_timeout', '0', true)")
const endsTransaction = (text: string): boolean => text === 'COMMIT' || text === 'ROLLBACK'

const DEMOTED = 'The server takes no writes any more'

/** The settings that decide where connections lead. */
interface Watching extends Pick<Config, 'databaseUrl' | 'readOnly'> {
  /** Whether all can be read elsewhere, so that a server that cannot be asked is left. */
  readonly isReplaceable?: boolean
}

const serverOf = ({ client }: Watched): DatabaseHost => ({ host: client.host, port: client.port })

/** Watches over the connections of a pool, from before its first. */
export class SilentConnections {
  readonly #connectionString: string | undefined
  /** Whether a server that only reads is none for this pool. */
  readonly #writes: boolean
  readonly #isReplaceable: boolean
  readonly #log: Logger | undefined
  readonly #watched = new Map<pg.PoolClient, Watched>()
  #timer: NodeJS.Timeout | undefined
  #asking: Promise<void> | undefined
  #isClosing = false

  constructor(pool: pg.Pool, { databaseUrl, readOnly, isReplaceable = false }: Watching, log?: Logger) {
    this.#isReplaceable = isReplaceable
    this.#connectionString = databaseUrl
    this.#writes = databaseUrl !== undefined && !readOnly && isForWriting(databaseAddress(databaseUrl))
    this.#log = log
    pool.on('connect', client => this.#watch(client))
    pool.on('acquire', client => this.#use(client, true))
    pool.on('release', (_, client) => this.#use(client, false))
  }

  /** From here on a connection that does not answer for two seconds is given up, whatever PostgreSQL does meanwhile. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /** Gives up whatever is still under way. */
  endAll(): void {
    for (const one of this.#watched.values()) this.#giveUp(one, 'The connection was closed')
  }

  #use(client: pg.PoolClient, isInUse: boolean): void {
    const watched = this.#watched.get(client)
    if (!watched) return
    watched.isInUse = isInUse
    if (watched.isDemoted && !isInUse) this.#giveUp(watched, DEMOTED)
  }

  #watch(client: pg.PoolClient): void {
    const watched: Watched = {
      client,
      connectedAt: performance.now(),
      inFlight: 0,
      isInUse: true,
      bytes: 0,
      quietTicks: 0,
      askAtTicks: SILENT_TICKS,
      heardAt: performance.now(),
      isDemoted: false,
      isUnlimited: false,
    }
    this.#watched.set(client, watched)
    client.once('end', () => this.#forget(client))
    watchStatements(client, {
      begin: text => this.#begin(watched, text),
      limitOf: () => (watched.isUnlimited ? UNLIMITED_MS : undefined),
    })
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
  }

  #forget(client: pg.PoolClient): void {
    this.#watched.delete(client)
    if (this.#watched.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #begin(watched: Watched, text: string) {
    if (watched.inFlight++ === 0) watched.quietTicks = 0
    if (lifts(text)) watched.isUnlimited = true
    else if (endsTransaction(text)) watched.isUnlimited = false
    return (error: Error | null, settle: (error: Error | null) => void) => {
      watched.inFlight -= 1
      if (error && this.#writes && isReadOnlyRefusal(error)) this.#leave(watched, settle)
      else if (error && !('severity' in error)) this.#fail(watched, text, error, settle)
      else {
        watched.heardAt = performance.now()
        settle(error && statementFailure(text, error, false))
      }
    }
  }

  /** The driver gives up waiting without a word to the connection's user, who learns of it once the connection is gone. */
  #fail({ client }: Watched, text: string, error: Error, settle: (error: Error) => void): void {
    const { stream } = client.connection
    if (error.message === 'Query read timeout') stream.destroy()
    const failure = statementFailure(text, error, stream.destroyed)
    if (stream.destroyed && this.#watched.has(client)) client.once('end', () => settle(failure))
    else settle(failure)
  }

  /**
   * Leaves a server that takes no writes any more with all connections to it, so that new ones find the one that does. A
   * statement that was refused so has changed nothing: it counts as one whose connection was lost.
   */
  #leave(watched: Watched, settle: (error: Error) => void): void {
    for (const one of this.#connectedTo(serverOf(watched))) {
      if (one === watched || !one.isInUse) this.#giveUp(one, DEMOTED)
      else one.isDemoted = true
    }
    const failure = connectionLost(DEMOTED)
    if (this.#watched.has(watched.client)) watched.client.once('end', () => settle(failure))
    else settle(failure)
  }

  #connectedTo(server: DatabaseHost): Watched[] {
    return [...this.#watched.values()].filter(one => hostText(serverOf(one)) === hostText(server))
  }

  #tick(): void {
    const silent: Watched[] = []
    for (const watched of this.#watched.values()) if (this.#isSilent(watched)) silent.push(watched)
    if (silent.length > 0) this.#asking ??= this.#askEach(silent).finally(() => (this.#asking = undefined))
  }

  /** The number of a process is its server's own, so each server is asked about its own. */
  async #askEach(silent: readonly Watched[]): Promise<void> {
    const byServer = Map.groupBy(silent, one => hostText(serverOf(one)))
    await Promise.all([...byServer.values()].map(own => this.#ask(serverOf(own[0]!), own)))
  }

  #isSilent(watched: Watched): boolean {
    const bytes = bytesReadOf(watched.client)
    const isQuiet = watched.inFlight > 0 && bytes === watched.bytes
    watched.bytes = bytes
    watched.quietTicks = isQuiet ? watched.quietTicks + 1 : 0
    if (!isQuiet) watched.askAtTicks = SILENT_TICKS
    if (this.#isClosing && watched.quietTicks >= CLOSING_TICKS)
      this.#giveUp(watched, 'The database did not answer while the process was stopping')
    return watched.quietTicks >= watched.askAtTicks
  }

  /**
   * Asks one server. Where it cannot be asked nothing is known, and the limit of the statement holds, unless another server has
   * taken its place.
   */
  async #ask(server: DatabaseHost, silent: readonly Watched[]): Promise<void> {
    const asker = createAsker(this.#connectionString, server)
    try {
      await asker.connect()
      await this.#drop(asker, await endWaiting(asker, silent))
    } catch (error) {
      this.#log?.debug({ err: error }, 'PostgreSQL could not be asked about silent connections')
      if (await this.#isReplaced(server))
        for (const one of this.#connectedTo(server)) this.#giveUp(one, 'Another server serves in its place')
    } finally {
      asker.connection.stream.destroy()
      // One that PostgreSQL is at work on is asked about again a second later.
      for (const watched of silent) watched.askAtTicks = watched.quietTicks + SILENT_TICKS
    }
  }

  async #isReplaced(server: DatabaseHost): Promise<boolean> {
    return this.#isReplaceable || (this.#writes && (await isReplaced(this.#connectionString, server)))
  }

  /** Gives up the ones that are silent yet, and all that lay unused meanwhile: the same has likely befallen them. */
  async #drop(asker: pg.Client, found: readonly Watched[]): Promise<void> {
    const lost = found.filter(one => one.quietTicks > 0 && bytesReadOf(one.client) === one.bytes)
    if (lost.length === 0) return
    const since = performance.now() - SILENT_TICKS * TICK_MS
    const unused = [...this.#watched.values()].filter(({ isInUse, heardAt }) => !isInUse && heardAt < since)
    for (const one of [...lost, ...unused]) this.#giveUp(one, 'The connection to the database went silent')
    this.#log?.warn(
      { silent: lost.length, unused: unused.length },
      'connections to the database went silent and were given up; new ones are made as they are needed',
    )
    await endUnused(asker, unused)
  }

  #giveUp({ client }: Watched, why: string): void {
    client.connection.stream.destroy(connectionLost(why))
  }
}
