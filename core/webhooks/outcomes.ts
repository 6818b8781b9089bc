/** Outcomes of attempts: the next state of a delivery, its record on the row, and the log of attempts that the row keeps. */
import type { Watchdog } from '../async/watchdog.ts'
import { type Db, Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import { invalidField } from '../errors/catalogue.ts'
import type { Logger } from '../observability/log.ts'
import { clock, createRecorder } from '../queue/lease-queue.ts'
import { type AttemptResult, isSuccess } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'
import { anyFailed, type Endpoint, recordHealth } from './health-record.ts'
import { waitAfter } from './schedule.ts'

/** An attempt as the log of its delivery keeps it. */
export interface LoggedAttempt {
  /** When it began. */
  readonly at: Date
  /** The HTTP status; null when there was no response. */
  readonly status: number | null
  /** From looking up the name to the end of the response, in whole milliseconds. */
  readonly durationMs: number
  /** Why it failed, at most 1 KiB, without secrets; null when it did not. */
  readonly error: string | null
}

/** The outcome of an attempt, as it is recorded on the row. */
export interface AttemptOutcome extends Endpoint {
  readonly id: string
  readonly lease: Date
  readonly status: 'DELIVERED' | 'PENDING' | 'DEAD'
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** How long to wait for the next attempt, in milliseconds. */
  readonly waitMs: number | null
  /** Whether it counts as an attempt; one that we broke off ourselves does not. */
  readonly counts: boolean
  /** The entry of the delivery's log, where it counts. */
  readonly logged?: LoggedAttempt
}

/** The status of an endpoint that wants no more of this event (RFC 9110 §15.5.11). */
const GONE = 410

/**
 * The outcome of an attempt for its delivery.
 * @param random at least 0, less than 1.
 */
export function outcomeOfAttempt(
  delivery: ClaimedDelivery,
  result: AttemptResult,
  random: number,
): AttemptOutcome {
  const { id, clientId, origin, lease, attempts } = delivery
  const of = { id, clientId, origin, lease }
  if (result.interrupted)
    // The lease is given back, as if nothing had been sent.
    return { ...of, status: 'PENDING', lastStatus: null, lastError: null, waitMs: null, counts: false }
  const { at, status, durationMs, error, retryAfterMs } = result
  const logged = { at, status, durationMs, error }
  const recorded = { ...of, lastStatus: status, lastError: error, counts: true, logged }
  if (isSuccess(result)) return { ...recorded, status: 'DELIVERED', waitMs: null }
  const wait = status === GONE ? undefined : waitAfter({ attempts: attempts + 1, retryAfterMs, random })
  if (wait === undefined) return { ...recorded, status: 'DEAD', waitMs: null }
  return { ...recorded, status: 'PENDING', waitMs: wait }
}

/** Three rounds of eight; of a delivery that is redelivered more often the last ones are kept. */
export const MAX_ATTEMPTS_KEPT = 24

/** The log with one attempt more, without its oldest where it is full. */
const LOG_WITH_ATTEMPT = Prisma.sql`
  CASE WHEN jsonb_array_length(d.attempt_log) < ${MAX_ATTEMPTS_KEPT}::int THEN d.attempt_log ELSE d.attempt_log - 0 END
    || o.entry`

/** A batch of outcomes as it was recorded. */
interface Recorded {
  /** Number of outcomes that held. */
  readonly count: number
  /** Whether failures of one of the endpoints are counted, which a success ends. */
  readonly afterFailures: boolean
}

/** Makes the row of an outcome for its record, with times as texts: JSON is written in half the time then. */
const toNote = ({ id, lease, status, lastStatus, lastError, waitMs, counts, logged }: AttemptOutcome) => ({
  ...{ id, status, lastStatus, lastError, waitMs, counts },
  lease: lease.toISOString(),
  logged: logged && { ...logged, at: logged.at.toISOString() },
  before: 'PENDING',
})

/**
 * Records how attempts ended. Success holds whichever process reports it; a failure only while the lease is still the
 * sender's, since after it the outcome of another sender counts. The status before is compared with a column, not with a
 * constant, so that the rows are found by their ids: by the index of pending rows, each record would read all of them.
 */
export async function recordOutcomes(
  db: Statements,
  outcomes: readonly AttemptOutcome[],
  clockOffsetMs: number,
): Promise<Recorded> {
  const rows = valuesTable(
    outcomes.map(toNote),
    Prisma.sql`id uuid, lease timestamptz, status text, "lastStatus" int, "lastError" text, "waitMs" float8,
      counts boolean, logged jsonb, before text`,
  )
  // What is not the same at any time is a part of its own, since Citus lets no such function take part in an update's cases.
  const now = clock(clockOffsetMs)
  const [recorded] = await db.$queryRaw<[Recorded]>`
    WITH o AS MATERIALIZED (
      SELECT r.*, ${now} AS now, ${now} + r."waitMs" * interval '1 ms' AS next,
        jsonb_build_array(r.logged) AS entry
      FROM ${rows} r),
    recorded AS (UPDATE events.delivery d SET
      status = o.status, lease = NULL,
      attempts = d.attempts + CASE WHEN o.counts THEN 1 ELSE 0 END,
      last_status = CASE WHEN o.counts THEN o."lastStatus" ELSE d.last_status END,
      last_error = CASE WHEN o.counts THEN o."lastError" ELSE d.last_error END,
      attempt_log = CASE WHEN o.counts THEN ${LOG_WITH_ATTEMPT} ELSE d.attempt_log END,
      delivered_at = CASE WHEN o.status = 'DELIVERED' THEN o.now END,
      next_attempt_at = CASE WHEN o.status <> 'PENDING' THEN NULL WHEN NOT o.counts THEN d.next_attempt_at
        ELSE o.next END
    FROM o
    WHERE d.id = o.id AND d.status = o.before AND (d.lease = o.lease OR o.status = 'DELIVERED')
    RETURNING 1) SELECT count(*)::int AS count, ${anyFailed(outcomes)} AS "afterFailures" FROM recorded`
  return recorded
}

/** Parts of a process that recording needs. */
export interface AttemptRecorderOptions {
  readonly log: Logger
  readonly db: Db
  readonly watchdog: Watchdog
  /** Milliseconds by which this clock is ahead of the database's. */
  readonly clockOffsetMs: () => number
  /** Called after a commit that brought events of endpoints. */
  readonly onEvents?: (() => void) | undefined
}

const MAX_RECORDED = 256

/**
 * Makes the function that records attempts of this process in batches; it fails where the database did not take the
 * outcome. What it says of the endpoint's health is counted after, unless it is a success of one that had not failed: where
 * that fails, the next attempts tell of it too.
 */
export function createAttemptRecorder({
  log,
  db,
  watchdog,
  clockOffsetMs,
  onEvents,
}: AttemptRecorderOptions): (outcome: AttemptOutcome) => Promise<void> {
  /** Attempts that are being counted: what is read of health meanwhile is without them. */
  let beingCounted = 0
  const record = createRecorder(
    async (outcomes: readonly AttemptOutcome[]) => {
      const isCounting = beingCounted > 0
      const { afterFailures } = await recordOutcomes(db, outcomes, clockOffsetMs())
      const isNews = isCounting || afterFailures || outcomes.some(({ status }) => status !== 'DELIVERED')
      return outcomes.map(() => isNews)
    },
    { watchdog, name: 'outcomes of webhooks', maxBatch: MAX_RECORDED },
  )
  const count = createRecorder(
    async (outcomes: readonly AttemptOutcome[]) => {
      const attempts = outcomes.map(({ clientId, origin, status }) => ({
        clientId,
        origin,
        succeeded: status === 'DELIVERED',
      }))
      const hasChanged = await recordHealth(db, attempts).catch(error => {
        log.warn({ err: error }, 'the health of webhook endpoints could not be recorded')
        return false
      })
      if (hasChanged) onEvents?.()
      return []
    },
    { watchdog, name: 'health of endpoints', maxBatch: MAX_RECORDED },
  )
  return async outcome => {
    const isNews = await record(outcome)
    if (!isNews || !outcome.counts) return
    beingCounted++
    try {
      await count(outcome)
    } finally {
      beingCounted--
    }
  }
}

/** Bytes that the logs of one statement may have together: those of a page of 200 fit. */
const MAX_BYTES = 32 * 1_024 * 1_024

interface LogRow {
  readonly id: string
  /** Null beyond `MAX_BYTES`. */
  readonly log: (Omit<LoggedAttempt, 'at'> & { readonly at: string })[] | null
}

const toAttempts = ({ log }: LogRow): LoggedAttempt[] | Error =>
  log?.map(({ at, ...attempt }) => ({ at: new Date(at), ...attempt })) ??
  invalidField('attemptLog', 'TOO_MANY', 'is too large for so many deliveries at once; ask for fewer of them')

/** The logs of deliveries in the order of their ids, each the oldest attempt first; an error for a log that does not fit. */
export async function readAttemptLogs(
  db: Statements,
  ids: readonly string[],
): Promise<(LoggedAttempt[] | Error)[]> {
  const found = await db.$queryRaw<LogRow[]>`
    SELECT l.id, CASE WHEN l.until <= ${MAX_BYTES}::bigint THEN l.log END AS log FROM (
      SELECT t.id, t.attempt_log AS log, sum(octet_length(t.attempt_log::text)) OVER (ORDER BY t.position) AS until
      FROM events.delivery t WHERE t.id = ANY (${ids}::uuid[])) l`
  const rows = new Map(found.map(row => [row.id, toAttempts(row)]))
  return ids.map(id => rows.get(id) ?? [])
}
