/** P4: `POST` payment, committed, 64 connections, on PostgreSQL; then how soon payments are settled at half of that rate. */
import type pg from 'pg'
import { compare } from './lib/compare.ts'
import { accountOf, mobileOf } from './lib/fill.ts'
import { load } from './lib/load.ts'
import { assertSameAnswer, type Pair, startPair } from './lib/pair.ts'
import { type Finding, milliseconds, perSecond } from './lib/results.ts'

const PLAN = { connections: 64, seconds: 5, turns: 3 }
const SETTLE_SECONDS = 6
/** Few enough for the load generator, many enough that no account is everybody's. */
const BODIES = 200

const bodyFor = (index: number, correlator: string) =>
  JSON.stringify({
    paymentTransaction: {
      clientCorrelatorId: correlator,
      referenceCode: `REF-${index}`,
      customerInfo: { customerAccountNumber: accountOf(index), phoneNumber: mobileOf(index) },
      paymentInfo: { paymentInformation: { amount: 5.25, currency: 'OMR', description: 'Monthly bill' } },
    },
  })

const jobFor = (url: string, path: string, headers: Record<string, string>) => ({
  url,
  requests: Array.from({ length: BODIES }, (_, index) => {
    return { method: 'POST', path, headers, body: bodyFor(index, '[<id>]') }
  }),
})

const PATH = '/postpaid-billing/v1/payments'
const WAYS = ['counted', 'sequence', 'settled'] as const

const AGAINST = {
  counted: 'bare Fastify + pg, one CTE and one commit each, counters in the CTE',
  sequence: 'the same without dense numbers: sequences',
  settled: 'sequences, and what settling writes as well, in the CTE',
}

/** Sequences start far above the counters, since both ways write into one table. */
const prepare = async (client: pg.Client) => {
  for (const name of ['position', 'client_position', 'event_position']) {
    await client.query(`CREATE SEQUENCE bench_${name} START 1000000000`)
  }
  await client.query(`INSERT INTO books.book (name, client_id) VALUES ('payment', '') ON CONFLICT DO NOTHING`)
}

/** Ids and times must differ, and only `settled` knows the final status at once. */
const comparable = ({ paymentId, paymentCreationDate, ...response }: Record<string, unknown>) => [
  typeof paymentId,
  String(paymentCreationDate).length,
  response,
]

const assertSame = async ({ ours, bare }: Pair, headers: Record<string, string>) => {
  const init = { method: 'POST', headers, body: bodyFor(1, 'same-answer') }
  const [ourAddress, bareAddress] = [`${ours.address}${PATH}`, `${bare.address}/counted/payments`]
  await assertSameAnswer(
    [
      [ourAddress, init],
      [bareAddress, init],
    ],
    comparable,
  )
  const other = { ...init, body: bodyFor(1, 'same-answer-2') }
  await assertSameAnswer(
    [
      [ourAddress, other],
      [`${bare.address}/sequence/payments`, other],
    ],
    comparable,
  )
}

/** Milliseconds from creation to the final status, of 99 in 100 payments since `start`. */
const settleLatency = async (client: pg.Client, start: Date): Promise<number> => {
  const { rows } = await client.query<{ p99: number; open: string }>(
    `SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at)) * 1000 AS p99,
       count(*) FILTER (WHERE completed_at IS NULL) AS open
     FROM postpaid.payment WHERE created_at >= $1`,
    [start],
  )
  if (Number(rows[0]!.open) > 0) throw new Error(`${rows[0]!.open} payments are not settled`)
  return rows[0]!.p99
}

const measureSettling = async (
  pair: Pair,
  job: ReturnType<typeof jobFor>,
  rate: number,
): Promise<Finding> => {
  const start = new Date()
  await load({ ...job, ...PLAN, seconds: SETTLE_SECONDS, rate })
  await new Promise(done => setTimeout(done, 2_000))
  const p99 = await settleLatency(pair.ourDatabase, start)
  return {
    id: 'P4',
    work: `settled at ${perSecond(rate)}, p99`,
    against: '100 ms',
    ours: milliseconds(p99),
    theirs: '100 ms',
    ratio: p99 / 100,
    target: '<= 1',
  }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using pair = await startPair(prepare, flags)
  const headers = await pair.headers('bench-partner')
  await assertSame(pair, headers)
  const ourJob = jobFor(pair.ours.address, PATH, headers)
  const sides = WAYS.map(way => jobFor(pair.bare.address, `/${way}/payments`, headers))
  const [ours, ...theirs] = await compare([ourJob, ...sides], PLAN)
  const findings = WAYS.map((way, index) => ({
    id: 'P4',
    work: 'POST payment, committed',
    against: AGAINST[way],
    ours: perSecond(ours!),
    theirs: perSecond(theirs[index]!),
    ratio: ours! / theirs[index]!,
    target: way === 'counted' ? '>= 1' : undefined,
  }))
  return [...findings, await measureSettling(pair, ourJob, ours! / 2)]
}
