/**
 * The queue of webhooks: the rows of `events.delivery` themselves. Whoever sends holds the row's lease, which ends by
 * itself; so a killed process loses nothing, and what it had sent without noting so is sent again.
 */
import { Prisma, type PrismaClient } from '../data/db.ts'
import type { NotifiedEvent } from './notification.ts'

/** A delivery that this process may attempt until its lease ends. */
export interface Claimed extends NotifiedEvent {
  readonly id: string
  readonly kind: string
  readonly clientId: string
  readonly url: string
  readonly origin: string
  readonly token: string | null
  readonly attempts: number
  readonly lease: Date
}

/** How an attempt ended, as it is noted on the row. */
export interface Outcome {
  readonly id: string
  readonly lease: Date
  readonly status: 'DELIVERED' | 'PENDING' | 'DEAD'
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** How long to wait for the next attempt, in milliseconds. */
  readonly waitMs: number | null
  /** Whether it counts as an attempt; one that we broke off ourselves does not. */
  readonly counts: boolean
}

/** A receiver of which this process knows something. */
export interface KnownReceiver {
  readonly origin: string
  readonly underWay: number
  /** The most attempts at a time; fewer than others have while it is failing. */
  readonly most: number
}

/** What a claim may take. */
export interface Room {
  /** The most for all receivers together, and for all attempts of this process. */
  readonly free: number
  readonly capacity: number
  /** The most for one receiver. */
  readonly perOrigin: number
  /** What is known of single receivers. */
  readonly known: readonly KnownReceiver[]
  /** The kinds that this process knows to describe. */
  readonly kinds: readonly string[]
}

/** Longer than an attempt and noting it can take. */
const LEASE_MS = 20_000

/**
 * The database's clock, which all processes share; tests put theirs ahead of it. It stands still during a statement,
 * so that an index can be searched by it.
 */
const clock = (aheadMs: number) => Prisma.sql`(statement_timestamp() + ${aheadMs}::float8 * interval '1 ms')`

/** Every receiver for which something waits, found by skipping from one to the next in the index. */
const RECEIVERS = Prisma.sql`
  receiver (origin) AS (
    (SELECT min(origin) FROM events.delivery WHERE status = 'PENDING')
    UNION ALL
    SELECT (SELECT min(d.origin) FROM events.delivery d WHERE d.status = 'PENDING' AND d.origin > receiver.origin)
    FROM receiver WHERE receiver.origin IS NOT NULL)`

/** Each receiver has an equal share of the places, so that those who never answer leave the others theirs. */
const shareOf = ({ capacity, perOrigin }: Room) => Prisma.sql`
  least(${perOrigin}::int, greatest(1, ${capacity}::int / (SELECT count(*) FROM receiver)::int))`

/** How many more attempts a receiver may have. */
const placesOf = (room: Room) => Prisma.sql`
  greatest(0, coalesce(
    (SELECT least(${shareOf(room)}, k.most) - k."underWay"
      FROM jsonb_to_recordset(${JSON.stringify(room.known)}::jsonb) AS k (origin text, most int, "underWay" int)
      WHERE k.origin = r.origin),
    ${shareOf(room)}))`

/**
 * What is due and not being sent, the events of one transaction one after the other. In the index's own sequence: with
 * any other, everything that waits for a receiver would be read and sorted to take the first few.
 */
const dueOf = (room: Room, aheadMs: number) => Prisma.sql`
  SELECT d.id FROM events.delivery d
  WHERE d.status = 'PENDING' AND d.origin = r.origin AND d.next_attempt_at <= ${clock(aheadMs)}
    AND (d.lease IS NULL OR d.lease < ${clock(aheadMs)}) AND d.kind = ANY (${room.kinds}::text[])
    AND NOT EXISTS (SELECT 1 FROM events.delivery earlier WHERE earlier.transaction_id = d.transaction_id
      AND earlier.position < d.position AND earlier.status = 'PENDING')
  ORDER BY d.next_attempt_at
  LIMIT ${placesOf(room)} FOR UPDATE SKIP LOCKED`

/** Takes what is due, the receivers in any sequence so that none is always last. */
export const claim = (db: PrismaClient, room: Room, aheadMs: number): Promise<Claimed[]> =>
  db.$queryRaw<Claimed[]>`
    WITH RECURSIVE ${RECEIVERS}, due AS MATERIALIZED (
      SELECT picked.id FROM (SELECT origin FROM receiver WHERE origin IS NOT NULL ORDER BY random()) r
      CROSS JOIN LATERAL (${dueOf(room, aheadMs)}) picked LIMIT ${room.free}::int)
    UPDATE events.delivery d
    SET lease = date_trunc('milliseconds', ${clock(aheadMs)} + ${LEASE_MS}::int * interval '1 ms')
    FROM due, events.event e WHERE d.id = due.id AND e.position = d.position
    RETURNING d.id, d.kind, d.client_id AS "clientId", d.url, d.origin, d.token, d.attempts, d.lease,
      d.transaction_id AS "transactionId", e.eventid, e.event_type AS "eventType", e.event_time AS "eventTime",
      e.status, e.description, e.client_correlator_id AS "clientCorrelatorId", e.payment_date AS "paymentDate"`

/** Frees what a killed process had under way. Only where no other process can be sending: on the embedded database. */
export const freeAll = (db: PrismaClient): Promise<number> =>
  db.$executeRaw`UPDATE events.delivery SET lease = NULL WHERE status = 'PENDING' AND lease IS NOT NULL`

/** What is noted of each outcome: only on a row that was waiting. */
const toNotes = (outcomes: readonly Outcome[]) =>
  JSON.stringify(outcomes.map(outcome => ({ ...outcome, before: 'PENDING' })))

/**
 * Notes how attempts ended. Success holds whoever reports it; a failure only while the lease is still the sender's,
 * since after it another sender's word counts. The status before is compared with a column, not with a constant, so
 * that the rows are found by their ids: by the index of what waits, each note would read all that waits.
 */
export const note = (db: PrismaClient, outcomes: readonly Outcome[], aheadMs: number): Promise<number> =>
  db.$executeRaw`
    UPDATE events.delivery d SET
      status = o.status, lease = NULL,
      attempts = d.attempts + CASE WHEN o.counts THEN 1 ELSE 0 END,
      last_status = CASE WHEN o.counts THEN o."lastStatus" ELSE d.last_status END,
      last_error = CASE WHEN o.counts THEN o."lastError" ELSE d.last_error END,
      delivered_at = CASE WHEN o.status = 'DELIVERED' THEN ${clock(aheadMs)} END,
      next_attempt_at = CASE WHEN o.status <> 'PENDING' THEN NULL WHEN NOT o.counts THEN d.next_attempt_at
        ELSE ${clock(aheadMs)} + o."waitMs" * interval '1 ms' END
    FROM jsonb_to_recordset(${toNotes(outcomes)}::jsonb) AS o (id uuid, lease timestamptz, status text,
      "lastStatus" int, "lastError" text, "waitMs" float8, counts boolean, before text)
    WHERE d.id = o.id AND d.status = o.before AND (d.lease = o.lease OR o.status = 'DELIVERED')`
