/**
 * The other side of P10: a bare loop over undici. A batch is read and its rows are locked, its webhooks are posted, what
 * came of them is recorded by one statement, and committed: a process that dies in between leaves rows that another sends again.
 */

import pg from 'pg'
import { pino } from 'pino'
import { Agent } from 'undici'
import { type NotifiedEvent, notificationOf } from '#core/webhooks/message.ts'
import type { LoggedAttempt } from '#core/webhooks/outcomes.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { serveCalls } from './worker.ts'

export interface PostJob {
  /** How many webhooks are under way at a time, over all receivers. */
  readonly places: number
}

interface Waiting extends NotifiedEvent {
  readonly id: string
  readonly clientId: string
  readonly origin: string
  readonly token: string
  readonly attempts: number
}

interface Noted {
  readonly id: string
  readonly status: number
  readonly logged: LoggedAttempt
}

const BATCH = 200

const READ = {
  name: 'read',
  text: `SELECT d.id, d.client_id AS "clientId", d.origin, d.token, d.attempts, d.transaction_id AS "transactionId",
      e.eventid, e.event_type AS "eventType", e.event_time AS "eventTime", e.status, e.description,
      e.client_correlator_id AS "clientCorrelatorId", e.payment_date AS "paymentDate"
    FROM events.delivery d JOIN events.event e ON e.position = d.position
    WHERE d.status = 'PENDING' AND d.next_attempt_at <= now() ORDER BY d.position
    LIMIT ${BATCH} FOR UPDATE OF d SKIP LOCKED`,
}

const RECORD = {
  name: 'record',
  text: `UPDATE events.delivery d SET status = 'DELIVERED', attempts = d.attempts + 1, last_status = o.status,
      delivered_at = clock_timestamp(), next_attempt_at = NULL, attempt_log = d.attempt_log || jsonb_build_array(o.logged)
    FROM jsonb_to_recordset($1::jsonb) AS o (id uuid, status int, logged jsonb) WHERE d.id = o.id`,
}

const agent = new Agent({ pipelining: 1, keepAliveTimeout: 4_000 })
const log = pino({ base: undefined })

const send = async (delivery: Waiting): Promise<Noted> => {
  const { id, clientId, origin, token, eventid, attempts } = delivery
  const at = new Date()
  const start = performance.now()
  const { statusCode: status, body } = await agent.request({
    origin,
    path: '/hooks/eventNotifications',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'partner-graph/0.0.0',
      authorization: `Bearer ${token}`,
      'x-correlator': id,
    },
    body: notificationOf(delivery, 'paymentId', 'Asia/Muscat'),
  })
  await body.dump()
  if (status !== 204) throw new Error(`a receiver answered ${status}`)
  log.info({ correlator: id, eventid, clientId, attempt: attempts + 1, status }, 'webhook delivered')
  return {
    id,
    status,
    logged: { at, status, durationMs: Math.round(performance.now() - start), error: null },
  }
}

/** @returns how many there were. */
const sendBatch = async (client: pg.PoolClient): Promise<number> => {
  await client.query('BEGIN')
  const { rows } = await client.query<Waiting>(READ)
  const sent = await Promise.all(rows.map(send))
  if (sent.length > 0) await client.query({ ...RECORD, values: [JSON.stringify(sent)] })
  await client.query('COMMIT')
  return sent.length
}

let pool: pg.Pool

const sendAll = async () => {
  const client = await pool.connect()
  while ((await sendBatch(client)) > 0);
  client.release()
}

serveCalls({
  cpuSeconds,
  open(connectionString: string) {
    pool = new pg.Pool({ connectionString })
  },
  /** Posts all that waits. */
  post: async ({ places }: PostJob) =>
    void (await Promise.all(Array.from({ length: places / BATCH }, sendAll))),
})
