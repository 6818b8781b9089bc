/**
 * P15: what PostgreSQL does for one payment to its very end (inserted, settled, event, webhook claimed and recorded,
 * timeline, sums): processor time of its backends by kind of statement, and bytes of WAL by table; many at a time, and alone.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { BackendSamples, type BackendTime, type StatementKinds } from './lib/backend-samples.ts'
import { fillClients, fillDirectory, fillTransactions, PAYMENTS, untilProjected } from './lib/fill.ts'
import { load } from './lib/load.ts'
import { tokenHeaders } from './lib/pair.ts'
import { paymentWithWebhook } from './lib/payment.ts'
import { type Receivers, startReceivers } from './lib/receivers.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, type Scratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { countWal, type WalBytes } from './lib/wal.ts'

const ROWS = scaled(20_000, 500)
const RECEIVERS = 20
const BODIES = 200
const REST_MS = 100

const MOST_MICROSECONDS = 300
const MOST_BYTES = 5 * 1_024

/** `pg_stat_activity` has the beginnings of texts. */
const KINDS: StatementKinds = [
  ['event and delivery', /^\s*WITH entry AS/],
  [
    'insert',
    /INSERT INTO "postpaid"|books\.book WHERE name = \$1 AND client_id = ANY|AS sent \(|AS asked \(client_id/,
  ],
  ['timeline entries', /^\s*WITH fresh AS|gin_clean_pending_list/],
  ['timeline changes', /^\s*WITH moved AS|DELETE FROM "?activity/],
  ['timeline checkpoints', /activity\.progress|DISTINCT kind FROM events/],
  ['webhook note', /UPDATE events\.delivery d SET\s+status/],
  ['webhook claim', /events\.delivery/],
  ['settle', /"postpaid"\."payment"|charging\./],
  ['ledger', /ledger\.|directory\./],
  ['event and delivery', /books\.book/],
  ['begin and commit', /^\s*(BEGIN|COMMIT|ROLLBACK)/],
]

interface Stage {
  readonly scratch: Scratch
  readonly server: Server
  readonly receivers: Receivers
  readonly headers: Record<string, string>
}

/** How payments come. */
interface Way {
  readonly name: string
  readonly connections: number
  readonly seconds: number
  readonly rate?: number
  readonly target?: string
}

const WAYS: readonly Way[] = [
  { name: '32 at a time', connections: 32, seconds: scaled(5, 2), target: '<= 1' },
  { name: 'alone, 20 a second', connections: 1, seconds: scaled(10, 2), rate: 20 },
]

const post = ({ server, receivers: { origins }, headers }: Stage, { connections, seconds, rate }: Way) =>
  load({
    url: server.address,
    connections,
    seconds,
    rate,
    requests: Array.from({ length: BODIES }, (_, index) => ({
      method: 'POST',
      path: '/postpaid-billing/v1/payments',
      headers,
      body: paymentWithWebhook(index, origins[index % origins.length]!),
    })),
  })

const ENDED = `
  SELECT (SELECT position FROM books.book WHERE name = 'payment' AND client_id = '')::int AS payments,
    NOT EXISTS (SELECT 1 FROM charging.progress p JOIN books.book b ON b.name = 'payment' AND b.client_id = ''
      WHERE p.kind = 'PAYMENT' AND b.position > p.position)
    AND NOT EXISTS (SELECT 1 FROM events.delivery WHERE status = 'PENDING')
    AND NOT EXISTS (SELECT 1 FROM activity.progress p JOIN books.book b USING (name)
      WHERE b.client_id = '' AND b.position > p.position) AS ended`

/** How many payments there are, once nothing is left to be done for any. */
const untilEnded = async ({ client }: Scratch): Promise<number> => {
  for (;;) {
    const { rows } = await client.query<{ payments: number; ended: boolean }>(ENDED)
    if (rows[0]!.ended) return rows[0]!.payments
    await delay(REST_MS)
  }
}

/**
 * Work that the index of words has postponed is done now, as the program's: PostgreSQL does it once for some ten thousand entries,
 * which a measurement meets or not.
 */
const indexWords = async ({ url }: Scratch): Promise<void> => {
  const client = new pg.Client({ connectionString: url, application_name: 'partner-graph' })
  await client.connect()
  await client.query(`SELECT gin_clean_pending_list('activity.entry_words')`)
  await client.end()
}

/** Of one payment. */
interface Cost {
  readonly time: BackendTime
  readonly wal: WalBytes
}

const shared = (sums: ReadonlyMap<string, number>, payments: number) =>
  new Map([...sums].map(([name, sum]) => [name, sum / payments]))

const measure = async (stage: Stage, way: Way): Promise<Cost> => {
  const { scratch } = stage
  const before = await untilEnded(scratch)
  await indexWords(scratch)
  const walSince = await countWal(scratch.client)
  const samples = new BackendSamples(scratch.client, KINDS)
  await samples.start()
  await post(stage, way)
  const payments = (await untilEnded(scratch)) - before
  await indexWords(scratch)
  const time = await samples.stop()
  const { records, pageImages } = await walSince()
  const wal = { records: shared(records, payments), pageImages: pageImages / payments }
  return { time: shared(time, payments), wal }
}

const total = (parts: ReadonlyMap<string, number>) => [...parts.values()].reduce((sum, part) => sum + part, 0)

const partsOf = (id: string, work: string, parts: ReadonlyMap<string, number>, unit: string): Finding[] =>
  [...parts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, part]) => ({
      id,
      work: `${work}: ${name}`,
      against: 'all of it',
      ours: `${Math.round(part)} ${unit}`,
      theirs: `${Math.round(total(parts))} ${unit}`,
      ratio: part / total(parts),
    }))

const against = (work: string, value: number, most: number, unit: string, target?: string): Finding => ({
  id: 'P15',
  work,
  against: `${most} ${unit}`,
  ours: `${Math.round(value)} ${unit}`,
  theirs: `${most} ${unit}`,
  ratio: value / most,
  target,
})

const findingsOf = ({ name, target }: Way, { time, wal }: Cost): Finding[] => [
  against(
    `a payment to its end, ${name}: processor of PostgreSQL`,
    total(time),
    MOST_MICROSECONDS,
    'µs',
    target,
  ),
  ...partsOf('P15', name, time, 'µs'),
  against(
    `a payment to its end, ${name}: WAL without page images`,
    total(wal.records),
    MOST_BYTES,
    'B',
    target,
  ),
  ...partsOf('P15', name, wal.records, 'B'),
  against(`a payment to its end, ${name}: page images in the WAL`, wal.pageImages, MOST_BYTES, 'B'),
]

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  await fillClients(scratch.client)
  await fillDirectory(scratch.client)
  await fillTransactions(scratch.client, PAYMENTS, ROWS)
  await using receivers = await startReceivers(RECEIVERS)
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY, WEBHOOK_ALLOW: '127.0.0.1' }
  await using server = await startServer('gateway/main.ts', { env, flags })
  await untilProjected(scratch.client, ROWS)
  const headers = await tokenHeaders(server.address, 'bench-partner')
  const stage = { scratch, server, receivers, headers }
  await post(stage, WAYS[0]!)
  await untilEnded(scratch)
  // As after some hours: planned by what a table holds in service, not by what it held when it was empty.
  await scratch.client.query('ANALYZE')
  const findings: Finding[] = []
  for (const way of WAYS) findings.push(...findingsOf(way, await measure(stage, way)))
  return findings
}
