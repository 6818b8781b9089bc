/**
 * Tables that grow with what is posted, filled with the columns that each had when it was made: what came later has what
 * the migration that added it says.
 */
import type { Bulk } from './bulk.ts'

/** An instant within a hundred days, later for later rows. */
const instantOf = (rows: number) =>
  `timestamptz '2026-01-01 00:00:00+04' + interval '100 days' * (n::float8 / ${rows})`
const id = (mark: string) => `('01900000-0000-7000-8${mark}-' || lpad(to_hex(n), 12, '0'))::uuid`
const ACCOUNT = `(10000000 + n % 1000000)::text`
const MOBILE = `(96890000000 + n % 1000000)::text`
const CLIENT = `'partner-' || n % 2`

const series = (rows: number) => `FROM generate_series(1, ${rows}) n`

const insert = (table: string, columns: string, values: string, rows: number): Bulk => ({
  table,
  statements: [`INSERT INTO ${table} (${columns}) SELECT ${values} ${series(rows)}`],
})

const transactions = (table: string, mark: string, status: string, rows: number) =>
  insert(
    table,
    `id, position, client_id, client_position, created_at, client_correlator_id, reference_code, status, completed_at, reason,
     account_number, mobile_number, currency, amount, body`,
    `${id(mark)}, n, ${CLIENT}, n / 2 + 1, ${instantOf(rows)}, 'fill-' || n, 'REF-' || n, '${status}', ${instantOf(rows)}, 'It was posted',
     ${ACCOUNT}, ${MOBILE}, 'OMR', 5.25, jsonb_build_object('referenceCode', 'REF-' || n, 'amount', 5.25, 'currency', 'OMR')`,
    rows,
  )

/** Entries, and the time zone of the days that a migration adds them up by. */
const timeline = (rows: number): Bulk => ({
  table: 'activity.entry',
  statements: [
    ...insert(
      'activity.entry',
      `id, sort, kind, client_id, account_number, mobile_number, occurred_at, status, outcome, currency, amount, channel, merchant,
       text, words`,
      `${id('001')}, (extract(epoch FROM ${instantOf(rows)}) * 1000)::bigint * 524288 + n % 65536, 'PAYMENT', ${CLIENT}, ${ACCOUNT},
       ${MOBILE}, ${instantOf(rows)}, 'succeeded', 'COMPLETED', 'OMR', 5.25, 'Web', 'Merchant ' || n % 20, 'Monthly bill',
       'bill monthly'::tsvector`,
      rows,
    ).statements,
    `UPDATE activity.progress SET timezone = 'Asia/Muscat'`,
  ],
})

/**
 * Tables filled without their indexes: payments, events, deliveries, the timeline and parts of messages have `rows`; the
 * other kinds a tenth.
 */
export const growingTables = (rows: number): Bulk[] => [
  transactions('postpaid.payment', '001', 'succeeded', rows),
  transactions('prepaid.recharge', '002', 'succeeded', rows / 10),
  transactions('loyalty.reward', '003', 'success', rows / 10),
  transactions('redemption.redemption', '004', 'success', rows / 10),
  transactions('messaging.message', '005', 'sent', rows / 10),
  insert(
    'events.event',
    `position, eventid, kind, event_type, event_time, transaction_id, operation_status, status, description, client_correlator_id,
     client_id, account_number, mobile_number`,
    `n, ${id('0e0')}, 'PAYMENT', 'PAYMENT_COMPLETED', ${instantOf(rows)}, ${id('001')}, 'succeeded', 'succeeded', 'It was posted', 'fill-' || n,
     ${CLIENT}, ${ACCOUNT}, ${MOBILE}`,
    rows,
  ),
  insert(
    'events.delivery',
    `id, position, eventid, kind, transaction_id, client_id, url, origin, status, attempts, last_status, created_at, delivered_at`,
    `${id('0d0')}, n, ${id('0e0')}, 'PAYMENT', ${id('001')}, ${CLIENT}, 'https://partner.example/hooks', 'https://partner.example',
     'DELIVERED', 1, 204, ${instantOf(rows)}, ${instantOf(rows)}`,
    rows,
  ),
  timeline(rows),
  insert(
    'messaging.part',
    'transaction_id, number, total, recipient, reference, smsc, state, message_id, tried_at',
    `${id('005')}, 1, 1, ${MOBILE}, n % 65536, 'centre', 'delivered', to_hex(n), ${instantOf(rows)}`,
    rows,
  ),
]

/** Tables whose keys a migration replaces by name, so that they are filled with their indexes in place. */
export const keyedTables = (rows: number): Bulk[] => [
  insert(
    'directory.account',
    'account_number, customer_name, customer_status, customer_type',
    `(10000000 + n)::text, 'Customer ' || n, 'ACTIVE', 14`,
    rows / 10,
  ),
  insert('ledger.balance', 'kind, holder, currency, amount', `'points', ${MOBILE}, n, n % 1000`, rows / 10),
  insert(
    'messaging.receipt',
    'message_id, recipient, state, received_at',
    `to_hex(n), ${MOBILE}, 'delivered', ${instantOf(rows)}`,
    rows / 10,
  ),
]
