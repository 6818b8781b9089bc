/**
 * The queue of orders to a charging system outside of the database: the rows of `charging.order`. Transactions in their
 * initial status become orders; the first order of each owner is claimed, owner after owner. The later orders of an owner
 * wait until the outcome of the first is known, or until the charging system holds it. An order that a killed process
 * had in flight is asked about once its lease has ended, or sent again under the same key.
 */
import type { Platform } from '#core/context/app.ts'
import { type Db, Prisma, type Statements } from '#core/data/db.ts'
import {
  type ClaimLimits,
  claimDue,
  freeLeases,
  isFree,
  type LeasedTable,
  leaseEnd,
  ownersPerClaim,
} from '#core/queue/lease-queue.ts'
import type { Settlement, TransactionKind, TransactionRow } from '#core/transactions/kind.ts'
import {
  advanceHighWaterMark,
  isAnyNew,
  lockNew,
  lockNextRange,
  openHighWaterMark,
} from '#core/transactions/settle/settle.ts'
import { newId } from '#core/values/id.ts'

/** The table of orders, with the columns of its leases. */
export const ORDERS: LeasedTable = {
  table: Prisma.sql`charging."order"`,
  until: Prisma.sql`leased_until`,
  claim: Prisma.sql`leased_by`,
}

/** The state of an order before a claim: never sent, sent with unknown outcome, or held by the charging system. */
export type OrderState = 'waiting' | 'sent' | 'pending' | 'reserved'

/** An order that this process may call for until its lease ends. */
export interface ClaimedOrder {
  /** Id of the transaction. */
  readonly id: string
  /** State before the claim. */
  readonly state: OrderState
  /** Calls in this state before this one that brought no outcome. */
  readonly attempts: number
  /** The id of this claim, which differs from that of a later one of the same order. */
  readonly lease: string
}

const MAX_BATCH = 200

/** Opens the kind's progress; transactions that the ledger could not settle are enqueued again, for the outside system. */
export const openProgress = async (db: Db, kind: TransactionKind): Promise<void> => {
  await openHighWaterMark(db, kind)
  await db.$executeRaw`
    WITH aside AS (DELETE FROM charging.set_aside WHERE kind = ${kind.name} RETURNING position)
    UPDATE charging.progress SET position = least(position, (SELECT min(position) - 1 FROM aside))
    WHERE kind = ${kind.name}`
}

/** The owner of orders that are sent one after the other: the account whose dues they move, else the number. */
const ownerOf = ({ charge }: TransactionKind, row: TransactionRow): string =>
  (charge.moves?.balance === 'dues' ? row.accountNumber : (row.mobileNumber ?? row.accountNumber)) ?? row.id

const writeOrders = (tx: Statements, settlement: Settlement, rows: readonly TransactionRow<never>[]) => {
  const { kind } = settlement
  const orders = rows.map(row => ({
    id: row.id,
    owner: ownerOf(kind, row),
    position: `${row.position}`,
    createdAt: row.createdAt,
    expiresAt: settlement.expiresAt?.(row),
  }))
  return tx.$executeRaw`
    INSERT INTO charging."order" (transaction_id, kind, owner, position, created_at, expires_at)
    SELECT id, ${kind.name}, owner, position, "createdAt", "expiresAt"
    FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
      AS o (id uuid, owner text, position bigint, "createdAt" timestamptz, "expiresAt" timestamptz)
    ON CONFLICT DO NOTHING`
}

/** @returns whether there may be more. */
const enqueueBatch = async (tx: Statements, settlement: Settlement): Promise<boolean> => {
  const { kind } = settlement
  const batch = await lockNextRange(tx, kind, MAX_BATCH)
  if (!batch) return false
  await writeOrders(tx, settlement, await lockNew(tx, kind, batch))
  await advanceHighWaterMark(tx, kind, batch)
  return batch.to - batch.from === BigInt(MAX_BATCH)
}

/**
 * Makes orders of all transactions in their initial status; none is read twice.
 * @param progress called after each batch.
 */
export async function enqueueOrders(
  { db }: Platform,
  settlement: Settlement,
  progress: () => void = () => undefined,
): Promise<void> {
  if (!(await isAnyNew(db, settlement.kind))) return
  let isFull: boolean
  do {
    isFull = await db.$transaction(tx => enqueueBatch(tx, settlement))
    progress()
  } while (isFull)
}

/** Limits of a claim of one kind's orders. */
export interface OrderLimits extends ClaimLimits {
  /** The kind's name. */
  readonly kind: string
}

/** Claimed first orders, and the owner after whom to look on; empty where the claim came to the end of all owners. */
export interface ClaimedHeads {
  readonly orders: readonly ClaimedOrder[]
  readonly reached: string
}

interface HeadRow {
  readonly reached: string | null
  readonly owners: number
  readonly id: string | null
  readonly owner: string
  readonly state: ClaimedOrder['state']
  readonly attempts: number
}

/** Owners with orders to be sent, found by skipping from one to the next in the index. */
const ownersAfter = ({ kind, slots }: OrderLimits, after: string) => Prisma.sql`
  head (owner, step) AS (
    SELECT (SELECT min(o.owner) FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state IN ('waiting', 'sent') AND o.owner > ${after}), 1
    UNION ALL
    SELECT (SELECT min(o.owner) FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state IN ('waiting', 'sent') AND o.owner > head.owner), head.step + 1
    FROM head WHERE head.owner IS NOT NULL AND head.step < ${ownersPerClaim(slots)})`

/** The first order of each owner, where it is due and free; read before any is locked, so that no later one is claimed. */
const firstDue = ({ kind, slots }: OrderLimits) => Prisma.sql`
  due AS MATERIALIZED (
    SELECT first.transaction_id, 1 AS given FROM head CROSS JOIN LATERAL (
      SELECT o.* FROM charging."order" o
      WHERE o.kind = ${kind} AND o.owner = head.owner AND o.state IN ('waiting', 'sent')
      ORDER BY o.position LIMIT 1) first
    WHERE head.owner IS NOT NULL AND first.next_attempt_at <= statement_timestamp()
      AND ${isFree(Prisma.sql`first.leased_until`)}
      AND (first.state = 'sent' OR first.expires_at IS NULL OR first.expires_at > statement_timestamp())
    LIMIT ${slots})`

/**
 * The locked first orders; one that another process claims at the same time is skipped. The state is an expression here,
 * so that the rows are found by their ids: by the index of waiting orders, each claim would read all of them. One row is
 * expected to be due (`given`, see `data/sql.ts`).
 */
const LOCKED = Prisma.sql`
  locked AS MATERIALIZED (
    SELECT o.transaction_id AS id, o.owner, o.state, o.attempts, statement_timestamp() AS now, 1 AS given
    FROM due JOIN charging."order" o USING (transaction_id)
    WHERE due.given = 1 AND o.state || '' IN ('waiting', 'sent')
      AND o.next_attempt_at <= statement_timestamp()
      AND ${isFree(Prisma.sql`o.leased_until`)}
    FOR UPDATE OF o SKIP LOCKED)`

/**
 * Claims orders to be sent, and orders with an unknown outcome that are due for an inquiry, for owners after the given
 * one. Where not all due orders could be claimed, the next claim begins after the last owner with a claimed one.
 */
export async function claimHeads(db: Statements, limits: OrderLimits, after: string): Promise<ClaimedHeads> {
  const { slots, leaseMs } = limits
  const lease = newId()
  const rows = await db.$queryRaw<HeadRow[]>`
    WITH RECURSIVE ${ownersAfter(limits, after)}, ${firstDue(limits)}, ${LOCKED},
    claimed AS (
      UPDATE charging."order" o SET state = 'sent', submitted_at = coalesce(o.submitted_at, locked.now),
        leased_by = ${lease}::uuid, leased_until = ${leaseEnd(leaseMs)}
      FROM locked WHERE locked.given = 1 AND o.transaction_id = locked.id)
    SELECT seen.reached, seen.owners, locked.id, locked.owner, locked.state, locked.attempts
    FROM (SELECT max(owner) AS reached, count(owner)::int AS owners FROM head) seen LEFT JOIN locked ON TRUE`
  const claimed = rows.filter(({ id }) => id !== null)
  const orders = claimed.map(({ id, state, attempts }) => ({ id: id!, state, attempts, lease }))
  const seen = rows[0]!
  if (claimed.length >= slots) {
    const owners = claimed.map(({ owner }) => owner).toSorted()
    return { orders, reached: owners.at(-1)! }
  }
  return { orders, reached: seen.owners >= ownersPerClaim(slots) ? seen.reached! : '' }
}

/** Claims orders that the charging system holds and that are due for an inquiry, the longest due first. */
export async function claimHeld(db: Statements, limits: OrderLimits): Promise<ClaimedOrder[]> {
  const lease = newId()
  const held = {
    ...ORDERS,
    key: [Prisma.sql`transaction_id`],
    isDue: Prisma.sql`q.kind = ${limits.kind} AND q.state IN ('pending', 'reserved')
      AND q.next_attempt_at <= statement_timestamp()`,
    dueSince: Prisma.sql`q.next_attempt_at`,
    returning: Prisma.sql`q.transaction_id AS id, q.state, q.attempts`,
  }
  const rows = await claimDue<Omit<ClaimedOrder, 'lease'>>(db, held, limits, lease)
  return rows.map(row => ({ ...row, lease }))
}

/** Frees orders that a killed process had in flight. Only on the embedded database, which no other process uses. */
export const freeOrders = (db: Statements, kind: string): Promise<number> =>
  freeLeases(db, ORDERS, Prisma.sql`q.kind = ${kind} AND q.state <> 'concluded'`)
