/**
 * P18: the program with two workers against one process, on PostgreSQL. `BENCH_SHARE=0.2` lets each process of the program
 * use that part of a processor alone, so that load generator and database do not stand in the workers' way.
 */
import { fillAnalyst, GRAPHQL, requestsOf } from './lib/analyst-query.ts'
import { fillClients, fillDirectory } from './lib/fill.ts'
import { findingsOf, type MeasuredSide, measureSides } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { shareProcessor } from './lib/processor-share.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { startServer } from './lib/server.ts'
import { untilInTimeline } from './lib/settled.ts'

const PLAN = { connections: 256, seconds: scaled(5, 1), turns: scaled(5) }
/** Turns at full speed before: under its share a compiler would take longer than the turns last, once in each worker. */
const WARM = { connections: 256, seconds: scaled(10, 1), turns: 1 }
const COLLECTION = '/postpaid-billing/v1/payments'
const BODIES = 200
const AGAINST = 'WORKERS=1; ours WORKERS=2'
const SHARE = process.env['BENCH_SHARE']
const TARGETS = ['>= 1.6', undefined] as const

type Requests = Awaited<ReturnType<MeasuredSide['requests']>>

/** A server on a database of its own with transactions to read. */
const open = async (stack: AsyncDisposableStack, workers: string, flags: readonly string[]) => {
  const { client, url } = stack.use(await createScratch())
  await fillClients(client)
  await fillDirectory(client)
  await fillAnalyst(client)
  const env = { DATABASE_URL: url, SECRETS_KEY, WORKERS: workers }
  const groups = stack.use(new AsyncDisposableStack())
  const server = stack.use(await startServer('gateway/main.ts', { env, flags, mayWarn: true }))
  const analyst = await tokenHeaders(server.address, 'bench-analyst')
  const partner = await tokenHeaders(server.address, 'bench-partner')
  const reads = requestsOf(GRAPHQL, analyst) as Requests
  const posts: Requests = Array.from({ length: BODIES }, (_, index) => {
    return { method: 'POST', path: COLLECTION, headers: partner, body: payment(index) }
  })
  await untilInTimeline(client)
  const share = async () => {
    if (SHARE) groups.defer(shareProcessor(await server.pids(), Number(SHARE)))
  }
  return { client, server, analyst, reads, posts, share }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const sides = [await open(stack, '2', flags), await open(stack, '1', flags)]
  const { path = '', method, body } = sides[0]!.reads[7]!
  await assertSameAnswer(
    sides.map(({ server, analyst }) => [
      server.address + path,
      { method, headers: analyst, body: body as string },
    ]),
  )
  const read = sides.map(({ server, reads }) => ({ server, requests: () => reads }))
  const posted = sides.map(({ client, server, posts }) => ({
    server,
    requests: () => posts,
    finish: () => untilInTimeline(client),
  }))
  for (const compared of [read, posted]) await measureSides(compared, WARM)
  for (const { share } of sides) await share()
  const findings: Finding[] = []
  const works = [
    ["the analyst's query on PostgreSQL", read],
    ['POST payment until it is settled and in the timeline', posted],
  ] as const
  for (const [work, compared] of works) {
    const [ours, theirs] = await measureSides(compared, PLAN)
    const named = `${work}${SHARE ? `, each process with ${SHARE} of a processor` : ''}`
    findings.push(
      ...findingsOf({ id: 'P18', work: named, against: AGAINST, targets: TARGETS }, ours!, theirs!),
    )
  }
  return findings
}
