/**
 * The queue of webhooks: the rows of `events.delivery` themselves. Whoever sends holds the row's lease, which ends by
 * itself; so a killed process loses nothing, and what it had sent without noting so is sent again.
 */
import { Prisma, type PrismaClient, type Reader } from '../data/db.ts'
import { givenRows } from '../data/given-rows.ts'
import { type LoggedAttempt, withAttempt } from './attempt-log.ts'
import type { NotifiedEvent } from './notification.ts'

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends NotifiedEvent {
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
export interface AttemptOutcome {
  readonly id: string
  readonly lease: Date
  readonly status: 'DELIVERED' | 'PENDING' | 'DEAD'
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** How long to wait for the next attempt, in milliseconds. */
  readonly waitMs: number | null
  /** Whether it counts as an attempt; one that we broke off ourselves does not. */
  readonly counts: boolean
  /** What is kept of it, where it counts. */
  readonly logged?: LoggedAttempt
}

/**
 * The database's clock, which all processes share; tests put theirs ahead of it. It stands still during a statement,
 * so that an index can be searched by it.
 */
export const clock = (aheadMs: number) =>
  Prisma.sql`(statement_timestamp() + ${aheadMs}::float8 * interval '1 ms')`

/** Frees what a killed process had under way. Only where no other process can be sending: on the embedded database. */
export const freeAll = (db: PrismaClient): Promise<number> =>
  db.$executeRaw`UPDATE events.delivery SET lease = NULL WHERE status = 'PENDING' AND lease IS NOT NULL`

/** What is noted of each outcome: only on a row that was waiting. */
const toRecords = (outcomes: readonly AttemptOutcome[]): Prisma.Sql =>
  givenRows(
    outcomes.map(outcome => ({ ...outcome, before: 'PENDING' })),
    Prisma.sql`id uuid, lease timestamptz, status text, "lastStatus" int, "lastError" text, "waitMs" float8,
      counts boolean, logged jsonb, before text`,
  )

/**
 * Notes how attempts ended. Success holds whoever reports it; a failure only while the lease is still the sender's,
 * since after it another sender's word counts. The status before is compared with a column, not with a constant, so
 * that the rows are found by their ids: by the index of what waits, each note would read all that waits.
 */
export async function recordOutcomes(
  db: Reader,
  outcomes: readonly AttemptOutcome[],
  aheadMs: number,
): Promise<number> {
  const [noted] = await db.$queryRaw<[{ count: number }]>`WITH noted AS (
    UPDATE events.delivery d SET
      status = o.status, lease = NULL,
      attempts = d.attempts + CASE WHEN o.counts THEN 1 ELSE 0 END,
      last_status = CASE WHEN o.counts THEN o."lastStatus" ELSE d.last_status END,
      last_error = CASE WHEN o.counts THEN o."lastError" ELSE d.last_error END,
      attempt_log = CASE WHEN o.counts THEN ${withAttempt(Prisma.sql`d.attempt_log`, Prisma.sql`o.logged`)} ELSE d.attempt_log END,
      delivered_at = CASE WHEN o.status = 'DELIVERED' THEN ${clock(aheadMs)} END,
      next_attempt_at = CASE WHEN o.status <> 'PENDING' THEN NULL WHEN NOT o.counts THEN d.next_attempt_at
        ELSE ${clock(aheadMs)} + o."waitMs" * interval '1 ms' END
    FROM ${toRecords(outcomes)} o
    WHERE d.id = o.id AND d.status = o.before AND (d.lease = o.lease OR o.status = 'DELIVERED')
    RETURNING 1) SELECT count(*)::int AS count FROM noted`
  return noted.count
}
