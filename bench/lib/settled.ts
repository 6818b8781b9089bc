/** Whether payments that were posted have come to their end, and whether every row that this leaves is there. */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { ACCOUNTS } from './fill.ts'

const REST_MS = 10
const WITHIN_MS = 120_000

/** Reads from few rows, since it is called often while much is written. */
const IS_TAKEN_IN = `SELECT NOT EXISTS (
  SELECT 1 FROM charging.progress p JOIN books.book b ON b.name = 'payment' AND b.client_id = ''
  WHERE p.kind = 'PAYMENT' AND b.position > p.position) AS done`
const IS_SETTLED = `SELECT NOT EXISTS (SELECT 1 FROM postpaid.payment WHERE status = 'processing') AS done`
const IS_PROJECTED = `SELECT NOT EXISTS (
  SELECT 1 FROM activity.progress p JOIN books.book b ON b.name = p.name AND b.client_id = ''
  WHERE b.position > p.position) AS done`

const until = async (client: pg.Client, question: string) => {
  const deadline = Date.now() + WITHIN_MS
  while (!(await client.query<{ done: boolean }>(question)).rows[0]!.done) {
    if (Date.now() > deadline) throw new Error('payments are still under way')
    await delay(REST_MS)
  }
}

/** Resolves when no payment waits for the program. @throws Error where that takes longer than two minutes. */
export const untilTakenIn = (client: pg.Client): Promise<void> => until(client, IS_TAKEN_IN)

/** Resolves when no payment waits for the bare side, which has an index for that. @throws Error as `untilTakenIn`. */
export const untilSettled = (client: pg.Client): Promise<void> => until(client, IS_SETTLED)

/** Resolves when no payment waits and the program's projection has come to the end. @throws Error as `untilTakenIn`. */
export const untilInTimeline = async (client: pg.Client): Promise<void> => {
  await untilTakenIn(client)
  await until(client, IS_PROJECTED)
}

const sumsOf = (table: string) => `
  (SELECT sum(entries) FROM activity.${table} WHERE outcome = 'COMPLETED') AS ${table},
  (SELECT sum(amount) FROM activity.${table}) AS ${table}_amount`

/** Counts and sums of what payments leave. */
const TRACES = `
  SELECT (SELECT count(*) FROM postpaid.payment) AS payments, (SELECT sum(amount) FROM postpaid.payment) AS amount,
    (SELECT count(*) FROM postpaid.payment WHERE status = 'succeeded' AND reason IS NOT NULL AND correlator IS NOT NULL
      AND completed_at >= created_at) AS succeeded,
    (SELECT count(*) FROM ledger.entry) AS booked, (SELECT -sum(amount) FROM ledger.entry) AS booked_amount,
    (SELECT sum(n) FROM generate_series(0, ${ACCOUNTS - 1}) n) - (SELECT sum(amount) FROM ledger.balance WHERE kind = 'dues')
      AS balance_amount,
    (SELECT count(*) FROM events.event) AS events, (SELECT max(position) FROM events.event) AS last_event,
    (SELECT count(*) FROM activity.entry WHERE outcome = 'COMPLETED' AND words IS NOT NULL AND settled_ms >= 0) AS entries,
    ${['holder_day', 'client_day', 'total_day'].map(sumsOf).join(',')}`

/**
 * Every payment has left all its rows, once.
 * @param answered how many were answered with 201 at the least; of a few the load generator did not wait for the response.
 */
export async function assertTraces(client: pg.Client, answered: number): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(TRACES)
  const { payments, amount, ...traces } = Object.fromEntries(
    Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]),
  ) as Record<string, number>
  if (payments! < answered) throw new Error(`${answered} payments were answered, but ${payments} are there`)
  for (const [name, value] of Object.entries(traces))
    deepStrictEqual([name, value], [name, name.endsWith('_amount') ? amount : payments])
}

/** Positions that are the same where nothing else was posted before are compared as well. */
const ROWS = [
  'postpaid.payment',
  'ledger.entry',
  'events.event',
  'activity.entry',
  'activity.holder_day',
].concat('activity.client_day', 'activity.total_day')

/** Ids, numbers and times differ, and so do words and keys that are made of them. */
const DIFFERENT = `ARRAY['id', 'eventid', 'transaction_id', 'correlator', 'created_at', 'completed_at', 'occurred_at',
  'event_time', 'payment_date', 'settled_ms', 'sort', 'position', 'client_position']`

/** All rows that the payments so far have left, without what must differ. */
export const rowsOf = async (client: pg.Client): Promise<unknown[]> => {
  const texts = ROWS.map(
    table =>
      `SELECT '${table}' AS table, to_jsonb(t) - ${DIFFERENT} - 'words' AS row,
         ${table === 'activity.entry' ? `array_length(tsvector_to_array(words), 1)` : 'NULL::int'} AS words FROM ${table} t`,
  )
  return (await client.query(`${texts.join(' UNION ALL ')} ORDER BY 1, 2`)).rows
}
