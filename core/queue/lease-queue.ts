/**
 * Queues whose entries are rows of a table: webhooks, orders, interventions. A process works on a row while it holds the
 * row's lease. A lease ends by itself, so that a killed process loses nothing: another one claims the row later. Each
 * table has claims of its own where its index or its order asks for them; everything else that queues do is here.
 *
 * Slots are shared among owners by a dynamic threshold, as in `async/fair-slots.ts`: none may hold more than are left free.
 */
import { Batcher } from '../async/batcher.ts'
import type { Watchdog } from '../async/watchdog.ts'
import { TaskWorker, type TaskWorkerOptions } from '../async/worker.ts'
import { isOutage } from '../data/database-errors.ts'
import { Prisma, type Statements } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'

/** An owner of rows that are due. */
interface Waiting {
  readonly owner: string
  /** Slots that it holds. */
  readonly inFlight: number
  /** The most that it may hold. */
  readonly quota: number
}

/** How many slots an owner may take now, and how many it then holds. */
export interface Share {
  readonly slots: number
  readonly most: number
}

const slotsAt = (level: number, { inFlight, quota }: Waiting) =>
  Math.max(0, Math.min(quota, level) - inFlight)

/** The highest level at which as many slots as the level would still be free if all owners took theirs, by halving. */
const levelOf = (free: number, waiting: readonly Waiting[]): number => {
  let [low, high] = [0, Math.max(0, free)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (waiting.reduce((sum, owner) => sum + slotsAt(middle, owner), middle) <= free) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The shares of owners that may take slots. All get up to the same level, and as much as that level stays free: k owners
 * whose work never ends hold k/(k+1) of the slots, and the next one finds free slots at once. An owner with nothing in
 * flight may take one slot even where none is free, so that no owner waits for the work of others alone.
 */
export function shareSlots(free: number, waiting: readonly Waiting[]): Map<string, Share> {
  const level = levelOf(free, waiting)
  const shares = waiting.map(one => {
    const slots = Math.max(slotsAt(level, one), one.inFlight === 0 ? 1 : 0)
    return [one.owner, { slots, most: one.inFlight + slots }] as const
  })
  return new Map(shares.filter(([, { slots }]) => slots > 0))
}

/** A table with leases. In statements that are made here, it is `q`. */
export interface LeasedTable {
  readonly table: Prisma.Sql
  /** The column with the end of a lease. */
  readonly until: Prisma.Sql
  /** The column with the id of the claim, where a row has one. */
  readonly claim?: Prisma.Sql
}

/**
 * The database's clock, which all processes share. It stands still during a statement: an index can be searched by it.
 * @param offsetMs how far ahead of it the queue's time is, in milliseconds; tests let days pass.
 */
export const clock = (offsetMs = 0): Prisma.Sql =>
  offsetMs === 0
    ? Prisma.sql`statement_timestamp()`
    : Prisma.sql`(statement_timestamp() + ${offsetMs}::float8 * interval '1 ms')`

/**
 * The condition that no process holds a lease.
 * @param until the column with the end of the lease, behind the table's alias.
 */
export const isFree = (until: Prisma.Sql, now: Prisma.Sql = clock()): Prisma.Sql =>
  Prisma.sql`(${until} IS NULL OR ${until} < ${now})`

/** The end of a lease that begins now. */
export const leaseEnd = (leaseMs: number, now: Prisma.Sql = clock()): Prisma.Sql =>
  Prisma.sql`${now} + ${leaseMs}::int * interval '1 ms'`

/** The assignments of an update that gives leases back. */
export const released = ({ until, claim }: LeasedTable): Prisma.Sql =>
  claim ? Prisma.sql`${until} = NULL, ${claim} = NULL` : Prisma.sql`${until} = NULL`

/**
 * Frees what a killed process had in flight. Only where no other process can hold leases: on the embedded database.
 * @param isOpen the condition that a row still waits.
 * @returns how many rows were freed.
 */
export const freeLeases = (db: Statements, queue: LeasedTable, isOpen: Prisma.Sql): Promise<number> =>
  db.$executeRaw`
    UPDATE ${queue.table} q SET ${released(queue)} WHERE ${isOpen} AND q.${queue.until} IS NOT NULL`

/** How many rows a claim may take, and for how long, in milliseconds. */
export interface ClaimLimits {
  readonly slots: number
  readonly leaseMs: number
}

/** Rows that are claimed in the order of the times at which they were due, without regard to owners. */
export interface DueRows extends LeasedTable {
  /** The columns of the key. */
  readonly key: readonly Prisma.Sql[]
  /** The condition that a row is due. */
  readonly isDue: Prisma.Sql
  readonly dueSince: Prisma.Sql
  readonly returning: Prisma.Sql
}

const columns = (table: Prisma.Sql, names: readonly Prisma.Sql[]) =>
  Prisma.join(names.map(name => Prisma.sql`${table}.${name}`))

/**
 * Leases rows to this process, the longest due first. Rows that another process claims at the same time are skipped. One
 * row is expected to be due (`given`, see `data/sql.ts`): for more, all rows could be read.
 * @param claimId is kept on the rows where the table has a column for it.
 */
export const claimDue = <Row>(
  db: Pick<Statements, '$queryRaw'>,
  { table, until, claim, key, isDue, dueSince, returning }: DueRows,
  { slots, leaseMs }: ClaimLimits,
  claimId?: string,
): Promise<Row[]> => db.$queryRaw<Row[]>`
  WITH due AS MATERIALIZED (
    SELECT ${columns(Prisma.sql`q`, key)}, 1 AS given FROM ${table} q
    WHERE ${isDue} AND ${isFree(Prisma.sql`q.${until}`)}
    ORDER BY ${dueSince} LIMIT ${slots} FOR UPDATE SKIP LOCKED)
  UPDATE ${table} q SET ${claim ? Prisma.sql`${claim} = ${claimId}::uuid,` : Prisma.empty} ${until} = ${leaseEnd(leaseMs)}
  FROM due WHERE due.given = 1 AND (${columns(Prisma.sql`q`, key)}) = (${columns(Prisma.sql`due`, key)})
  RETURNING ${returning}`

const MIN_OWNERS = 64
const MAX_OWNERS = 512

/** How many owners one claim looks at: by the slots that are free, for each owner costs a search in the index. */
export const ownersPerClaim = (slots: number): number => Math.min(Math.max(2 * slots, MIN_OWNERS), MAX_OWNERS)

/** A walk along the owners of rows, so that each has its turn: a round begins where the last one ended. */
export class OwnerWalk {
  #after = ''

  /**
   * Claims until no slot is free, and once around at the most.
   * @param claim claims for owners after the given one; returns the owner that it reached, and '' at the end of all.
   */
  async round(hasSlots: () => boolean, claim: (after: string) => Promise<string>): Promise<void> {
    let hasWrapped = this.#after === ''
    while (hasSlots()) {
      this.#after = await claim(this.#after)
      if (this.#after !== '') continue
      if (hasWrapped) return
      hasWrapped = true
    }
  }
}

export interface RecorderOptions<Item> {
  readonly watchdog: Watchdog
  /** Names what is recorded, to the watchdog. */
  readonly name: string
  readonly maxBatch: number
  /**
   * Called for an item that cannot be recorded although others of its batch can. Without it, all items of a batch that
   * fails fail with it.
   */
  onRejected?(item: Item, error: unknown): void
}

/** For a statement that records a batch, in milliseconds. */
const RECORD_LIMIT_MS = 15_000
/** Far above what can be in flight: nothing is refused. */
const MAX_WAITING = 100_000
/** An outcome is recorded even while the process stops. */
const NEVER = new AbortController().signal

/**
 * The function that records how work on a row ended. Outcomes that come while others are being written are the next batch.
 * @param write writes a batch: an outcome holds only while the lease is still its process's, unless it is final.
 * @returns a promise of what `write` returned for the item, once its batch is committed.
 */
export function createRecorder<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  { watchdog, name, maxBatch, onRejected }: RecorderOptions<Item>,
): (item: Item) => Promise<Result | undefined> {
  const writeBatch = async (items: readonly Item[]): Promise<(Result | undefined)[]> => {
    try {
      return [...(await write(items))]
    } catch (error) {
      if (items.length === 1 || !onRejected) throw error
      // An item that cannot be recorded must not hold up the others.
      const results: (Result | undefined)[] = []
      for (const item of items) {
        const [result] = await write([item]).catch(reason => [void onRejected(item, reason)])
        results.push(result)
      }
      return results
    }
  }
  const rounds = watchdog.over(name, RECORD_LIMIT_MS)
  const batcher = new Batcher(writeBatch, { maxBatch, maxWaiting: MAX_WAITING, rounds })
  return item => batcher.add(item, NEVER)
}

const SWEEP_MS = 1_000
/** How long a stop waits for work in flight before it breaks it off. */
const STOP_TIMEOUT_MS = 2_000

export interface LeaseWorkerOptions
  extends Pick<TaskWorkerOptions, 'run' | 'gatherMs' | 'restMs' | 'isClear'> {
  readonly watchdog: Watchdog
  readonly log: Logger
  /** Names its rounds to the watchdog. */
  readonly name: string
  /** How long a round may make no progress, in milliseconds. */
  readonly limitMs: number
  /** Fields of the log line of a round that failed, and its text. */
  readonly failed: readonly [fields: object, text: string]
  /** Text of the log line of work of which the outcome was not recorded. */
  readonly unrecorded: string
}

/** Worker whose rounds claim rows and whose tasks work on them. It sweeps every second for what another process left. */
export class LeaseWorker extends TaskWorker {
  readonly #options: LeaseWorkerOptions

  constructor(options: LeaseWorkerOptions) {
    const { run, gatherMs, restMs, isClear, watchdog, log, name, limitMs, failed } = options
    super({
      ...{ run, gatherMs, restMs, isClear },
      rounds: watchdog.over(name, limitMs),
      isReportedByReadiness: isOutage,
      sweepMs: SWEEP_MS,
      stopMs: STOP_TIMEOUT_MS,
      onError: error => log.warn({ err: error, ...failed[0] }, failed[1]),
    })
    this.#options = options
  }

  /** Holds the row's slot until the work on it has ended. @param fields names the row in the log. */
  start(work: Promise<void>, fields: object): void {
    const { log, unrecorded } = this.#options
    this.track(work, error => log.warn({ err: error, ...fields }, unrecorded))
  }
}
