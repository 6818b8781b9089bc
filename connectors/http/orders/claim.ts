/**
 * Claiming: takes the first order of each owner, owner after owner, and leases it to this process. The later ones of an
 * owner wait until what became of the first is known, or until the charging system holds it.
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { newId } from '#core/values/id.ts'
import type { ClaimedOrder } from './order.ts'

export interface ClaimLimits {
  /** The kind's name. */
  readonly kind: string
  /** How many orders may be taken. */
  readonly places: number
  /** How long they are leased, in milliseconds. */
  readonly leaseMs: number
}

/** What a claim took, and the owner after whom to look on; empty where it came to the end. */
export interface ClaimedHeads {
  readonly orders: readonly ClaimedOrder[]
  readonly reached: string
}

/** How many owners one claim looks at, each a search in the index: by the places there are. */
const MIN_OWNERS = 64
const MAX_OWNERS = 512
const ownersFor = (places: number) => Math.min(Math.max(2 * places, MIN_OWNERS), MAX_OWNERS)

interface HeadRow {
  readonly reached: string | null
  readonly owners: number
  readonly id: string | null
  readonly owner: string
  readonly state: ClaimedOrder['state']
  readonly attempts: number
}

/** Owners with orders to be sent, found by skipping from one to the next in the index. */
const ownersAfter = ({ kind, places }: ClaimLimits, after: string) => Prisma.sql`
  head (owner, step) AS (
    SELECT (SELECT min(o.owner) FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state IN ('waiting', 'sent') AND o.owner > ${after}), 1
    UNION ALL
    SELECT (SELECT min(o.owner) FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state IN ('waiting', 'sent') AND o.owner > head.owner), head.step + 1
    FROM head WHERE head.owner IS NOT NULL AND head.step < ${ownersFor(places)})`

/** The first order of each, where it is due and nobody's; seen before any is locked, so that no later one is taken. */
const firstDue = ({ kind, places }: ClaimLimits) => Prisma.sql`
  due AS MATERIALIZED (
    SELECT first.transaction_id, 1 AS given FROM head CROSS JOIN LATERAL (
      SELECT o.* FROM charging."order" o
      WHERE o.kind = ${kind} AND o.owner = head.owner AND o.state IN ('waiting', 'sent')
      ORDER BY o.position LIMIT 1) first
    WHERE head.owner IS NOT NULL AND first.next_attempt_at <= statement_timestamp()
      AND (first.leased_until IS NULL OR first.leased_until < statement_timestamp())
      AND (first.state = 'sent' OR first.expires_at IS NULL OR first.expires_at > statement_timestamp())
    LIMIT ${places})`

/**
 * One that another process takes at the same time is left alone. The state is an expression here, so that the rows are
 * found by their ids: by the index of what waits, each claim would read all that waits. One row is expected to be due
 * (`given`, see `data/sql.ts`).
 */
const LOCKED = Prisma.sql`
  locked AS MATERIALIZED (
    SELECT o.transaction_id AS id, o.owner, o.state, o.attempts, 1 AS given
    FROM due JOIN charging."order" o USING (transaction_id)
    WHERE due.given = 1 AND o.state || '' IN ('waiting', 'sent')
      AND o.next_attempt_at <= statement_timestamp()
      AND (o.leased_until IS NULL OR o.leased_until < statement_timestamp())
    FOR UPDATE OF o SKIP LOCKED)`

const queryHeads = (db: Statements, limits: ClaimLimits, after: string, lease: string) =>
  db.$queryRaw<HeadRow[]>`
    WITH RECURSIVE ${ownersAfter(limits, after)}, ${firstDue(limits)}, ${LOCKED},
    taken AS (
      UPDATE charging."order" o SET state = 'sent', submitted_at = coalesce(o.submitted_at, statement_timestamp()),
        leased_by = ${lease}::uuid,
        leased_until = statement_timestamp() + ${limits.leaseMs}::int * interval '1 ms'
      FROM locked WHERE locked.given = 1 AND o.transaction_id = locked.id)
    SELECT seen.reached, seen.owners, locked.id, locked.owner, locked.state, locked.attempts
    FROM (SELECT max(owner) AS reached, count(owner)::int AS owners FROM head) seen LEFT JOIN locked ON TRUE`

/** Where not all that was due could be taken, the last that was: the next claim begins there. */
const reachedBy = (rows: readonly HeadRow[], taken: readonly HeadRow[], places: number): string => {
  if (taken.length >= places)
    return taken
      .map(({ owner }) => owner)
      .toSorted()
      .at(-1)!
  return rows[0]!.owners >= ownersFor(places) ? rows[0]!.reached! : ''
}

/** Takes what is to be sent, or to be asked about since what became of it is not known, from `after` on. */
export async function claimHeads(db: Statements, limits: ClaimLimits, after: string): Promise<ClaimedHeads> {
  const lease = newId()
  const rows = await queryHeads(db, limits, after, lease)
  const taken = rows.filter(({ id }) => id !== null)
  const orders = taken.map(({ id, state, attempts }) => ({ id: id!, state, attempts, lease }))
  return { orders, reached: reachedBy(rows, taken, limits.places) }
}

/** Takes what the charging system holds and is to be asked about, the longest due first. */
export async function claimHeld(
  db: Statements,
  { kind, places, leaseMs }: ClaimLimits,
): Promise<ClaimedOrder[]> {
  const lease = newId()
  const rows = await db.$queryRaw<Omit<ClaimedOrder, 'lease'>[]>`
    WITH due AS MATERIALIZED (
      SELECT o.transaction_id, 1 AS given FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state IN ('pending', 'reserved') AND o.next_attempt_at <= statement_timestamp()
        AND (o.leased_until IS NULL OR o.leased_until < statement_timestamp())
      ORDER BY o.next_attempt_at LIMIT ${places} FOR UPDATE SKIP LOCKED)
    UPDATE charging."order" o
    SET leased_by = ${lease}::uuid, leased_until = statement_timestamp() + ${leaseMs}::int * interval '1 ms'
    FROM due WHERE due.given = 1 AND o.transaction_id = due.transaction_id
    RETURNING o.transaction_id AS id, o.state, o.attempts`
  return rows.map(row => ({ ...row, lease }))
}

/** Frees what a killed process had under way. Only where no other process can be calling: on the embedded database. */
export const freeLeases = (db: Statements, kind: string): Promise<number> => db.$executeRaw`
  UPDATE charging."order" SET leased_until = NULL, leased_by = NULL
  WHERE kind = ${kind} AND state <> 'concluded' AND leased_until IS NOT NULL`
