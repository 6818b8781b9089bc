/**
 * Costs of one payment: bytes of each table and of the write-ahead log, processor time of our process and of
 * PostgreSQL's. With a webhook, to its very end: settled, delivered, in the timeline. "Sizing" in docs/scaling.md.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { fillClients, fillDirectory } from './lib/fill.ts'
import { load } from './lib/load.ts'
import { tokenHeaders } from './lib/pair.ts'
import { paymentWithWebhook } from './lib/payment.ts'
import { startReceivers } from './lib/receivers.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { startServer } from './lib/server.ts'

const SECONDS = scaled(20, 2)
const CONNECTIONS = 64
const WITHIN_MS = 180_000
/** Linux counts processor time in hundredths of a second (`sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100

/** Processor time of all processes of the PostgreSQL on this machine, in seconds. */
const postgresSeconds = (): number =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8')
      } catch {
        return ''
      }
    })
    .filter(stat => stat.includes('(postgres)'))
    .map(stat => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    // utime, stime, and those of children that have ended (proc(5), fields 14 to 17).
    .reduce((sum, fields) => sum + fields.slice(11, 15).reduce((part, ticks) => part + Number(ticks), 0), 0) /
  TICKS_PER_SECOND

const one = async (client: pg.Client, sql: string): Promise<number> =>
  Number((await client.query<{ value: string }>(`SELECT (${sql}) AS value`)).rows[0]!.value)

const OPEN = `(SELECT count(*) FROM postpaid.payment WHERE completed_at IS NULL)
  + (SELECT count(*) FROM events.delivery WHERE status = 'PENDING')
  + (SELECT count(*) FROM postpaid.payment) - (SELECT count(*) FROM activity.entry WHERE outcome <> 'PENDING')`

const untilDone = async (client: pg.Client) => {
  const deadline = Date.now() + WITHIN_MS
  while ((await one(client, OPEN)) > 0) {
    if (Date.now() > deadline) throw new Error('payments are still under way')
    await delay(100)
  }
}

const TABLES = `SELECT n.nspname || '.' || c.relname AS name, c.reltuples AS rows, pg_table_size(c.oid) AS data,
    pg_indexes_size(c.oid) AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.reltuples > 1000 AND n.nspname !~ '^(pg_|information)' AND n.nspname <> 'directory'
  ORDER BY pg_total_relation_size(c.oid) DESC`

const report = (name: string, bytes: number, count: number) =>
  console.log(`${name.padEnd(34)} ${Math.round(bytes / count)} bytes a payment`)

await using scratch = await createScratch()
const { client } = scratch
await fillClients(client)
await fillDirectory(client)
await using receivers = await startReceivers(20)
const env = { DATABASE_URL: scratch.url, SECRETS_KEY, WEBHOOK_ALLOW: '127.0.0.1' }
await using server = await startServer('gateway/main.ts', { env })
const headers = await tokenHeaders(server.address, 'bench-partner')
await delay(1_000)

const before = {
  wal: await one(client, `pg_current_wal_lsn() - '0/0'`),
  ours: await server.cpuSeconds(),
  theirs: postgresSeconds(),
}
const { perSecond } = await load({
  url: server.address,
  connections: CONNECTIONS,
  seconds: SECONDS,
  requests: Array.from({ length: 200 }, (_, index) => ({
    method: 'POST',
    path: '/postpaid-billing/v1/payments',
    headers,
    body: paymentWithWebhook(index, receivers.origins[index % receivers.origins.length]!),
  })),
})
await untilDone(client)
const count = await one(client, 'SELECT count(*) FROM postpaid.payment')
const wal = (await one(client, `pg_current_wal_lsn() - '0/0'`)) - before.wal
const [ours, theirs] = [(await server.cpuSeconds()) - before.ours, postgresSeconds() - before.theirs]

console.log(
  `${count} payments with webhooks, ${Math.round(perSecond)}/s posted, all settled, sent and followed`,
)
console.log(
  `our process                        ${((ours / count) * 1_000).toFixed(2)} ms of processor a payment`,
)
console.log(
  `PostgreSQL                         ${((theirs / count) * 1_000).toFixed(2)} ms of processor a payment`,
)
report('write-ahead log', wal, count)
await client.query('VACUUM FULL ANALYZE')
for (const { name, data, indexes } of (await client.query(TABLES)).rows) {
  report(name, Number(data), count)
  report(`  its indexes`, Number(indexes), count)
}
