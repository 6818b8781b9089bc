/**
 * P4: `POST` payment, answered after its commit, on PostgreSQL, until all that was posted is settled and in the timeline.
 * P4b: how soon payments are settled at half of that rate.
 */
import { deepStrictEqual } from 'node:assert/strict'
import type pg from 'pg'
import { median } from './lib/compare.ts'
import { load } from './lib/load.ts'
import { findingsOf, type Measured, measureSides } from './lib/measured.ts'
import { assertSameAnswer, type Pair, startPair } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { type Finding, milliseconds, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { assertTraces, rowsOf, untilInTimeline, untilSettled, untilTakenIn } from './lib/settled.ts'

const PLAN = { connections: 64, seconds: scaled(5, 1), turns: scaled(5) }
const SETTLE_SECONDS = scaled(10, 2)
const LIMIT_MS = 40
/** Few enough for the load generator, many enough that no account is everybody's. */
const BODIES = 200

const requestsOf = (path: string, headers: Record<string, string>) =>
  Array.from({ length: BODIES }, (_, index) => {
    return { method: 'POST', path, headers, body: payment(index) }
  })

const PATH = '/postpaid-billing/v1/payments'

const WAYS = [
  {
    path: '/counted/payments',
    against: 'bare Fastify + pg: one CTE and one commit each, counters in the CTE; settled in batches',
    targets: ['>= 1.2', '>= 1.5'],
  },
  {
    path: '/sequence/payments',
    against: 'the same without dense numbers: sequences',
    targets: [undefined, undefined],
  },
] as const

/** Sequences start far above the counters, since both ways write into one table. */
const prepare = async (client: pg.Client) => {
  for (const name of ['position', 'client_position'])
    await client.query(`CREATE SEQUENCE bench_${name} START 1000000000`)
  await client.query(
    `INSERT INTO books.book (name, client_id) VALUES ('payment', ''), ('event', '') ON CONFLICT DO NOTHING`,
  )
}

/** The bare side finds what waits by its status, and keeps its rows as any table does. */
const prepareBare = async (client: pg.Client) => {
  await client.query(
    `CREATE INDEX payment_waiting ON postpaid.payment (position) WHERE status = 'processing'`,
  )
  await client.query('ALTER TABLE postpaid.payment RESET (fillfactor)')
}

/** Ids and times must differ. */
const comparable = ({ paymentId, paymentCreationDate, ...response }: Record<string, unknown>) => [
  typeof paymentId,
  String(paymentCreationDate).length,
  response,
]

/** The same answers, and the same rows when everything has come to its end. */
const assertSame = async (
  { ours, bare, ourDatabase, bareDatabase }: Pair,
  headers: Record<string, string>,
) => {
  for (const [index, { path }] of WAYS.entries()) {
    const init = { method: 'POST', headers, body: payment(index, `same-answer-${index}`) }
    await assertSameAnswer(
      [
        [`${ours.address}${PATH}`, init],
        [`${bare.address}${path}`, init],
      ],
      comparable,
    )
  }
  await Promise.all([untilInTimeline(ourDatabase), untilSettled(bareDatabase)])
  deepStrictEqual(await rowsOf(ourDatabase), await rowsOf(bareDatabase))
}

/** Milliseconds from creation to the final status, of 99 in 100 payments since `start`. */
const settleLatency = async (client: pg.Client, start: Date): Promise<number> => {
  const { rows } = await client.query<{ p99: number }>(
    `SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at)) * 1000 AS p99
     FROM postpaid.payment WHERE created_at >= $1`,
    [start],
  )
  return rows[0]!.p99
}

const measureSettling = async (
  { ours, ourDatabase }: Pair,
  headers: Record<string, string>,
  rate: number,
): Promise<Finding> => {
  const start = new Date()
  const job = { url: ours.address, requests: requestsOf(PATH, headers) }
  await load({ ...job, ...PLAN, seconds: SETTLE_SECONDS, rate })
  await untilTakenIn(ourDatabase)
  const p99 = await settleLatency(ourDatabase, start)
  return {
    id: 'P4b',
    work: `settled at ${perSecond(rate)}, p99`,
    against: `${LIMIT_MS} ms`,
    ours: milliseconds(p99),
    theirs: milliseconds(LIMIT_MS),
    ratio: p99 / LIMIT_MS,
    target: '<= 1',
  }
}

const sidesOf = ({ ours, bare, ourDatabase, bareDatabase }: Pair, headers: Record<string, string>) => [
  { server: ours, requests: () => requestsOf(PATH, headers), finish: () => untilInTimeline(ourDatabase) },
  ...WAYS.map(({ path }) => ({
    server: bare,
    requests: () => requestsOf(path, headers),
    finish: () => untilSettled(bareDatabase),
  })),
]

const leastPosted = (turns: readonly Measured[]) =>
  turns.reduce((sum, { rate }) => sum + Math.floor(rate * PLAN.seconds), 0)

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using pair = await startPair(prepare, flags)
  await prepareBare(pair.bareDatabase)
  const headers = await pair.headers('bench-partner')
  await assertSame(pair, headers)
  const [ours, ...theirs] = await measureSides(sidesOf(pair, headers), PLAN)
  await assertTraces(pair.ourDatabase, leastPosted(ours!))
  await assertTraces(pair.bareDatabase, leastPosted(theirs.flat()))
  const work = 'POST payment, committed, until it is settled and in the timeline'
  const findings = WAYS.flatMap(({ against, targets }, index) =>
    findingsOf({ id: 'P4', work, against, targets }, ours!, theirs[index]!),
  )
  const rate = median(ours!.map(turn => turn.rate)) / 2
  return [...findings, await measureSettling(pair, headers, rate)]
}
