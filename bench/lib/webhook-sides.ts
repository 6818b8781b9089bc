/** The two sides of P10: our program and the bare loop, each with a database of its own and webhooks that wait in it. */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { ensureSequence } from '#core/data/gapless-sequence.ts'
import { appendEvents, EVENT_SEQUENCE } from '#core/events/append.ts'
import { fillClients } from './fill.ts'
import type { Measured } from './measured.ts'
import { notified, TOKEN } from './notified.ts'
import type { Receivers } from './receivers.ts'
import type { Received } from './receivers-process.ts'
import { createScratch, SECRETS_KEY } from './scratch.ts'
import type { Server } from './server.ts'
import { openServerLog } from './server-log.ts'
import { startWorker } from './worker.ts'

/** As many as ours sends at a time to 50 receivers. */
const PLACES = 800
const WITHIN_MS = 120_000
const REST_MS = 10

export interface WebhookSide {
  readonly database: pg.Client
  cpuSeconds(): Promise<number>
  /** Puts webhooks into the queue, in one transaction; it resolves when they are there. */
  fill(origins: readonly string[], count: number): Promise<unknown>
  /** Sends what waits; ours does that by itself. */
  send(): Promise<unknown>
}

export const oursOf = (database: pg.Client, server: Server): WebhookSide => ({
  database,
  cpuSeconds: () => server.cpuSeconds(),
  fill: (origins, count) => server.call('fill', { origins, count }),
  send: async () => undefined,
})

/** An index that fits the loop finds waiting rows, in place of those that fit our claim. */
const INDEXES = `
  DROP INDEX events.delivery_pending, events.delivery_due;
  CREATE INDEX bench_pending ON events.delivery (position) WHERE status = 'PENDING'`

const openQueue = async (stack: AsyncDisposableStack, url: string) => {
  const { db, close } = await openDatabase(readConfig({ DATABASE_URL: url, SECRETS_KEY }))
  stack.defer(close)
  await ensureSequence(db, EVENT_SEQUENCE)
  return (origins: readonly string[], count: number) =>
    db.$transaction(tx => appendEvents(tx, notified(origins, count, TOKEN)), { timeout: 60_000 })
}

export async function startBareWebhooks(stack: AsyncDisposableStack): Promise<WebhookSide> {
  const { url, client } = stack.use(await createScratch())
  await fillClients(client)
  await client.query(INDEXES)
  const log = openServerLog('the bare loop')
  stack.defer(() => log.remove())
  const { call } = stack.use(startWorker('bare-webhooks-process.ts', log.fd))
  await call('open', url)
  return {
    database: client,
    cpuSeconds: () => call('cpuSeconds'),
    fill: await openQueue(stack, url),
    send: () => call('post', { places: PLACES }),
  }
}

const untilNoted = async (database: pg.Client) => {
  const isRecorded = `SELECT NOT EXISTS (SELECT 1 FROM events.delivery WHERE status = 'PENDING') AS recorded`
  while (!(await database.query<{ recorded: boolean }>(isRecorded)).rows[0]!.recorded) await delay(REST_MS)
}

/** Fills the queue, then measures from there until all have arrived and their outcomes are recorded. */
export async function sendAll(side: WebhookSide, receivers: Receivers, count: number): Promise<Measured> {
  await receivers.reset()
  await side.fill(receivers.origins, count)
  const before = await side.cpuSeconds()
  const arrived = receivers.until({ count, withinMs: WITHIN_MS })
  const [{ perSecond: rate }] = await Promise.all([arrived, side.send()])
  await untilNoted(side.database)
  return { rate, perCpuSecond: count / ((await side.cpuSeconds()) - before) }
}

/** Ids and times must differ, and are as long. */
export const comparable = ({ path, headers, body }: Received) => ({
  path,
  headers,
  body: body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'time'),
})

/** The record is the same on each row: of one attempt when it was, how long it took and what came of it. */
const NOTED = `
  SELECT count(*)::int AS rows, count(delivered_at)::int AS delivered, count(lease)::int AS leased, status, attempts,
    last_status, last_error, next_attempt_at, jsonb_array_length(attempt_log) AS logged,
    (SELECT array_agg(k ORDER BY k) FROM jsonb_object_keys(attempt_log -> 0) k) AS log_keys, attempt_log #> '{0,status}' AS log_status
  FROM events.delivery GROUP BY status, attempts, last_status, last_error, next_attempt_at, logged, log_keys, log_status`

/** Every row of both sides says the same, and there are so many. */
export async function assertNoted(sides: readonly WebhookSide[], count: number): Promise<void> {
  for (const { database } of sides) {
    const { rows } = await database.query(NOTED)
    deepStrictEqual(rows, [
      {
        ...{ rows: count, delivered: count, leased: 0, status: 'DELIVERED', attempts: 1, last_status: 204 },
        ...{ last_error: null, next_attempt_at: null, logged: 1, log_status: 204 },
        log_keys: ['at', 'durationMs', 'error', 'status'],
      },
    ])
  }
}
