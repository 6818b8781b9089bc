/**
 * Settling by hand: after the commits, many payments by one statement and one commit. It writes the rows that settling
 * and the timeline leave on our side: ledger entry, balance, final status, event, timeline entry and the three sums.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Prisma } from '#core/data/db.ts'
import { lexemesOf } from '#subgraphs/activity/timeline/entry.ts'

const REASON = 'The payment was posted to the account'

/** A table of sums by day, as `activity` has them. */
const sums = (table: string, keys: string) => `
  ${table} AS (
    INSERT INTO activity.${table} AS s (${keys}, entries, amount, points)
    SELECT ${keys}, count(*), sum(amount), 0 FROM fresh GROUP BY ${keys}
    ON CONFLICT (${keys}) DO UPDATE SET entries = s.entries + excluded.entries, amount = s.amount + excluded.amount)`

const ENTRY = `id, kind, client_id, account_number, mobile_number, status, outcome, currency, amount, text, reason,
  client_correlator_id, correlator, reference_code`
const LEXEMES = lexemesOf(
  Prisma.sql`concat_ws(' ', text, reference_code, account_number, mobile_number)`,
  Prisma.sql`concat_ws(' ', client_correlator_id, correlator)`,
).sql
const GROUPS = 'kind, outcome, channel, merchant, currency, reason'

const TEXT = `
  WITH claimed AS MATERIALIZED (
    SELECT * FROM postpaid.payment WHERE status = 'processing' ORDER BY position LIMIT $1 FOR UPDATE SKIP LOCKED),
  booked AS (
    INSERT INTO ledger.entry (transaction_id, kind, holder, currency, amount)
    SELECT id, 'dues', account_number, currency, -amount FROM claimed),
  balanced AS (
    INSERT INTO ledger.balance AS b (kind, holder, currency, amount)
    SELECT 'dues', account_number, currency, -sum(amount) FROM claimed GROUP BY account_number, currency
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = b.amount + excluded.amount),
  settled AS (
    UPDATE postpaid.payment t SET status = 'succeeded', reason = '${REASON}', completed_at = clock_timestamp()
    FROM claimed WHERE t.id = claimed.id),
  head AS (
    UPDATE events.book SET position = position + (SELECT count(*) FROM claimed), written_at = now()
    WHERE name = 'event' AND client_id = '' RETURNING position - (SELECT count(*) FROM claimed) AS position),
  logged AS (
    INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status,
      status, description, client_correlator_id, payment_date, client_id, account_number, mobile_number)
    SELECT head.position + row_number() OVER (ORDER BY c.position), gen_random_uuid(), 'PAYMENT', 'PAYMENT_COMPLETED',
      now(), id, 'succeeded', 'succeeded', '${REASON}', client_correlator_id, now(), client_id, account_number, mobile_number
    FROM claimed c, head),
  fresh AS MATERIALIZED (
    SELECT id, position, client_id, created_at, account_number, mobile_number, currency, amount, client_correlator_id,
      correlator, reference_code, 'PAYMENT' AS kind, 'succeeded' AS status, 'COMPLETED' AS outcome, '' AS channel,
      '' AS merchant, '${REASON}' AS reason, (created_at AT TIME ZONE 'Asia/Muscat')::date AS day,
      coalesce(body #>> '{paymentInfo,paymentInformation,description}', '') AS text
    FROM claimed),
  shown AS (
    INSERT INTO activity.entry (${ENTRY}, sort, occurred_at, settled_ms, words)
    SELECT ${ENTRY}, (extract(epoch FROM created_at) * 1000)::bigint * 524288 + position % 65536, created_at,
      (extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint, ${LEXEMES}
    FROM fresh),
  ${sums('total_day', 'day, client_id, kind, outcome, currency, reason')},
  ${sums('client_day', `client_id, day, ${GROUPS}`)},
  ${sums('holder_day', `account_number, day, mobile_number, client_id, ${GROUPS}`)}
  SELECT count(*) AS settled FROM claimed`

/** A number of rows that one statement settles in well under a second. */
const BATCH = 1_000
/** Payments posted meanwhile are settled together, as on our side. */
const REST_MS = 10

export interface Settler {
  /** To be called after a commit. */
  wake(): void
}

const settleAll = async (pool: pg.Pool): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query<{ settled: number }>({ name: 'settle', text: TEXT, values: [BATCH] })
    if (rows[0]!.settled === 0) return
    await delay(REST_MS)
  }
}

/** One round at a time; what is posted during a round belongs to it or to the next. */
export function createSettler(pool: pg.Pool): Settler {
  let isRunning = false
  let isWanted = false
  const run = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      await settleAll(pool)
    }
    isRunning = false
  }
  return {
    wake() {
      isWanted = true
      if (!isRunning) void run()
    },
  }
}
