/**
 * Claiming webhooks: one statement takes what is due for several clients, each receiver by its share, and leases the
 * rows to this process.
 */
import { Prisma, type Reader } from '../data/db.ts'
import type { KnownReceiver } from './endpoint-health.ts'
import { type ClaimedDelivery, clock } from './queue.ts'

/** What a claim may take for one client. */
export interface ClientRoom {
  readonly clientId: string
  /** How many attempts more. */
  readonly places: number
  /** How many it then has under way: what its receivers have equal shares of. */
  readonly most: number
  /** The receiver after which to look on, where the last claim met more of them than it may look at. */
  readonly after: string
}

/** What a claim may take. */
export interface ClaimLimits {
  readonly clients: readonly ClientRoom[]
  /** The most for one receiver of a client. */
  readonly perOrigin: number
  /** What is known of single receivers. */
  readonly known: readonly KnownReceiver[]
  /** The kinds that this process knows to describe. */
  readonly kinds: readonly string[]
}

/** What a claim found for a client. */
export interface Found {
  readonly deliveries: readonly ClaimedDelivery[]
  /** The last receiver looked at, when there may be more behind it. */
  readonly reached: string | null
}

/** Longer than an attempt and noting it can take. */
const LEASE_MS = 20_000

const isDue = (kinds: readonly string[], aheadMs: number) => Prisma.sql`
  d.status = 'PENDING' AND d.next_attempt_at <= ${clock(aheadMs)}
    AND (d.lease IS NULL OR d.lease < ${clock(aheadMs)}) AND d.kind = ANY (${kinds}::text[])`

const FIRST = Prisma.sql`ORDER BY d.client_id, d.next_attempt_at LIMIT 1`

/**
 * The clients for whom something is due, found by skipping from one to the next in an index that `attempts >= 0` names
 * (`delivery_due`). Whether something is due is asked client by client (`OFFSET 0`), and the next client in that index's
 * own order: otherwise all that waits is read where statistics were taken while little did, or never, and all that ever
 * was where they were taken while most of it did.
 */
export const findWaiting = async (
  db: Reader,
  kinds: readonly string[],
  aheadMs: number,
): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE client (id) AS (
      (SELECT d.client_id FROM events.delivery d WHERE d.status = 'PENDING' AND d.attempts >= 0 ${FIRST})
      UNION ALL
      SELECT (SELECT d.client_id FROM events.delivery d
        WHERE d.status = 'PENDING' AND d.attempts >= 0 AND d.client_id > client.id ${FIRST})
      FROM client WHERE client.id IS NOT NULL)
    SELECT client.id FROM client WHERE client.id IS NOT NULL
      AND EXISTS (SELECT 1 FROM events.delivery d
        WHERE d.client_id = client.id AND d.attempts >= 0 AND ${isDue(kinds, aheadMs)} OFFSET 0)`
  return rows.map(({ id }) => id)
}

/** How many receivers of a client one claim looks at: by the places there are, for each costs a search in the index. */
const MIN_RECEIVERS = 64
const MAX_RECEIVERS = 512
const stepsOf = ({ places }: ClientRoom) => Math.min(Math.max(2 * places, MIN_RECEIVERS), MAX_RECEIVERS)

/** The receivers for which something of a client waits, found as the clients are, from where the last claim ended. */
const ENDPOINTS = Prisma.sql`
  receiver (client_id, origin, step, last) AS (
    SELECT asked."clientId", (SELECT min(d.origin) FROM events.delivery d
      WHERE d.status = 'PENDING' AND d.client_id = asked."clientId" AND d.origin > asked.after), 1, asked.steps FROM asked
    UNION ALL
    SELECT receiver.client_id, (SELECT min(d.origin) FROM events.delivery d
      WHERE d.status = 'PENDING' AND d.client_id = receiver.client_id AND d.origin > receiver.origin), receiver.step + 1, receiver.last
    FROM receiver WHERE receiver.origin IS NOT NULL AND receiver.step < receiver.last)`

const inputsOf = (limits: ClaimLimits) => Prisma.sql`
  asked AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(limits.clients.map(client => ({ ...client, steps: stepsOf(client) })))}::jsonb)
      AS a ("clientId" text, places int, most int, after text, steps int)),
  known AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(limits.known)}::jsonb)
      AS k ("clientId" text, origin text, "underWay" int, most int))`

/**
 * Each receiver has an equal share of its client's places, so that those who never answer leave the others theirs. One
 * each where not all were looked at: then there are many.
 */
const sharesOf = ({ perOrigin }: ClaimLimits) => Prisma.sql`
  share AS MATERIALIZED (
    SELECT asked."clientId", asked.places, max(r.origin) FILTER (WHERE r.step = r.last) AS reached,
      CASE WHEN max(r.origin) FILTER (WHERE r.step = r.last) IS NOT NULL OR asked.after <> '' THEN 1
        ELSE least(${perOrigin}::int, greatest(1, asked.most / greatest(1, count(r.origin)::int))) END AS each
    FROM asked JOIN receiver r ON r.client_id = asked."clientId"
    GROUP BY asked."clientId", asked.places, asked.most, asked.after)`

/** The receivers that may have more attempts, in any order so that none is always last. */
const ROOMS = Prisma.sql`
  room AS MATERIALIZED (
    SELECT r."clientId", r.places, array_agg(r.origin) AS origins, array_agg(r.free) AS free FROM (
      SELECT s."clientId", s.places, r.origin, least(s.each, k.most) - coalesce(k."underWay", 0) AS free
      FROM share s JOIN receiver r ON r.client_id = s."clientId"
      LEFT JOIN known k ON k."clientId" = r.client_id AND k.origin = r.origin
      WHERE r.origin IS NOT NULL ORDER BY random()) r
    WHERE r.free > 0 GROUP BY r."clientId", r.places)`

/**
 * What is due and not being sent, the events of one transaction one after the other. In the index's own order: with
 * any other, everything that waits for a receiver would be read and sorted to take the first few. Whether an earlier one
 * waits is asked by its next attempt, which says the same (`delivery_pending_is_due`), and row by row (`OFFSET 0`): asked by
 * its status, or for all at once, it would be looked for among all that waits wherever statistics were taken while nothing
 * did.
 */
const dueOf = (kinds: readonly string[], aheadMs: number) => Prisma.sql`
  SELECT d.id, d.position FROM events.delivery d
  WHERE d.client_id = room."clientId" AND d.origin = r.origin AND ${isDue(kinds, aheadMs)}
    AND NOT EXISTS (SELECT 1 FROM events.delivery earlier WHERE earlier.transaction_id = d.transaction_id
      AND earlier.position < d.position AND earlier.next_attempt_at IS NOT NULL OFFSET 0)
  ORDER BY d.next_attempt_at
  LIMIT r.free FOR UPDATE SKIP LOCKED`

/** One row is expected to be due (`given`, see `data/given-rows.ts`): for more, all rows could be read. */
const takeOf = (aheadMs: number) => Prisma.sql`
  UPDATE events.delivery d
  SET lease = date_trunc('milliseconds', ${clock(aheadMs)} + ${LEASE_MS}::int * interval '1 ms')
  FROM due, events.event e WHERE due.given = 1 AND d.id = due.id AND e.position = due.position
  RETURNING d.id, d.kind, d.client_id AS "clientId", d.url, d.origin, d.token, d.attempts, d.lease,
    d.transaction_id AS "transactionId", e.eventid, e.event_type AS "eventType", e.event_time AS "eventTime",
    e.status, e.description, e.client_correlator_id AS "clientCorrelatorId", e.payment_date AS "paymentDate"`

type FoundRow = { readonly asker: string; readonly reached: string | null } & (
  | ClaimedDelivery
  | { [name in keyof ClaimedDelivery]: null }
)

/** Takes what is due for these clients, each by itself: what waits for one is not in another's way. */
export async function claim(db: Reader, limits: ClaimLimits, aheadMs: number): Promise<Map<string, Found>> {
  const rows = await db.$queryRaw<FoundRow[]>`
    WITH RECURSIVE ${inputsOf(limits)}, ${ENDPOINTS}, ${sharesOf(limits)}, ${ROOMS}, due AS MATERIALIZED (
      SELECT picked.*, 1 AS given FROM room CROSS JOIN LATERAL (
        SELECT one.* FROM unnest(room.origins, room.free) AS r (origin, free)
        CROSS JOIN LATERAL (${dueOf(limits.kinds, aheadMs)}) one LIMIT room.places) picked),
    taken AS (${takeOf(aheadMs)})
    SELECT share."clientId" AS asker, share.reached, taken.* FROM share LEFT JOIN taken ON taken."clientId" = share."clientId"`
  const isTaken = (row: FoundRow): row is FoundRow & ClaimedDelivery => row.id !== null
  const grouped = [...Map.groupBy(rows, row => row.asker)]
  return new Map(
    grouped.map(([asker, found]) => [
      asker,
      { deliveries: found.filter(isTaken), reached: found[0]!.reached },
    ]),
  )
}
