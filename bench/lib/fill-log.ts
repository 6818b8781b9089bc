/** An event log with a delivered webhook for each event, as old as a run of retention wants it. */
import type pg from 'pg'
import { type Bulk, fillInBulk } from './bulk.ts'
import { ACCOUNTS } from './fill.ts'

/** Events of one day that retention removes at once. */
export interface LogShape {
  readonly portions: number
  /** Events of each. */
  readonly size: number
  /** Events that are younger than all of them, and stay. */
  readonly kept: number
}

/** The age of a portion in days; the first ones are the oldest. */
export const ageOf = (portion: number, { portions }: LogShape): number => 1_000 + 10 * (portions - portion)

const eventsOf = ({ portions, size, kept }: LogShape) => `
  INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status, status,
    description, client_correlator_id, payment_date, client_id, account_number, mobile_number)
  SELECT n, ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'PAYMENT', 'PAYMENT_COMPLETED', at,
    ('01900000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, 'succeeded', 'succeeded',
    'The payment was posted to the account', 'fill-' || n, at, 'partner-' || n % 10, 900000 + n % ${ACCOUNTS},
    96897000000 + n % ${ACCOUNTS}
  FROM generate_series(1, ${portions * size + kept}) n,
    LATERAL (SELECT now() - interval '1 day' * CASE WHEN n > ${portions * size} THEN 1
      ELSE 1000 + 10 * (${portions} - (n - 1) / ${size}) END AS at) times`

const DELIVERIES = `
  INSERT INTO events.delivery (id, position, eventid, kind, transaction_id, client_id, url, origin, status, attempts,
    last_status, created_at, delivered_at, attempt_log)
  SELECT ('01900000-0000-7000-a000-' || lpad(to_hex(position), 12, '0'))::uuid, position, eventid, kind, transaction_id, client_id,
    'https://receiver-' || position % 50 || '.example/hooks', 'https://receiver-' || position % 50 || '.example', 'DELIVERED', 1,
    204, event_time, event_time, jsonb_build_array(jsonb_build_object('at', event_time, 'status', 204, 'durationMs', 12, 'error', NULL))
  FROM events.event`

/** Fills log and deliveries; nothing of it is left to be projected. */
export async function fillLog(url: string, client: pg.Client, shape: LogShape): Promise<void> {
  const bulks: Bulk[] = [
    { table: 'events.event', statements: [eventsOf(shape)] },
    { table: 'events.delivery', statements: [DELIVERIES] },
  ]
  await fillInBulk(url, bulks, { parallel: 1, unlogged: false })
  const last = shape.portions * shape.size + shape.kept
  await client.query(`INSERT INTO books.book (name, client_id, position) VALUES ('event', '', ${last})`)
  await client.query(
    `UPDATE activity.progress SET position = ${last}, timezone = 'Asia/Muscat' WHERE name = 'event'`,
  )
  await client.query(`UPDATE activity.progress SET timezone = 'Asia/Muscat'`)
  await client.query('CHECKPOINT')
}
