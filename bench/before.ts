/**
 * This checkout against another one: `BENCH_BASE=<folder> node bench/before.ts [work …]`. Both programs get the same
 * requests in turns, so that a change which makes something slower shows, whatever else the machine does.
 */
import { join } from 'node:path'
import type pg from 'pg'
import { fillAnalyst, GRAPHQL, ROWS, requestsOf } from './lib/analyst-query.ts'
import { FILLINGS, fillClients, fillDirectory, untilProjected } from './lib/fill.ts'
import { findingsOf, type MeasuredSide, measureSides } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { type Finding, toTable } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { untilInTimeline } from './lib/settled.ts'
import { QUERY } from './servers/stub-subgraphs.ts'

const PLAN = { connections: 50, seconds: scaled(4, 1), turns: scaled(7) }
const COLLECTION = '/postpaid-billing/v1/payments'
const NUMBERS = 1_000
const PAYMENTS_OF_ONE_PAGE = 50

const BASE = process.env['BENCH_BASE']
if (!BASE)
  throw new Error('BENCH_BASE must name another checkout of this project, with its packages installed')

type Requests = Awaited<ReturnType<MeasuredSide['requests']>>

/** A program of this checkout and of the other one. */
const both = (program: string) => [program, join(BASE, program)]

const compare = async (work: string, sides: readonly MeasuredSide[]): Promise<Finding[]> => {
  const [ours, theirs] = await measureSides(sides, PLAN)
  const targets = ['>= 0.97', '>= 0.97'] as const
  return findingsOf({ id: 'before', work, against: BASE, targets }, ours!, theirs!)
}

/** P2: customer-360 over in-memory subgraphs, in one process. */
const compareStubs = async (): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const servers: Server[] = []
  for (const program of both('bench/servers/stub-all-in-one.ts'))
    servers.push(stack.use(await startServer(program, { env: { DATA_DIR: 'memory:', DEMO: '1' } })))
  const bodyOf = (index: number) =>
    JSON.stringify({ query: QUERY, variables: { n: String(96_897_000_000 + index) } })
  const sides = []
  for (const server of servers) {
    const headers = await tokenHeaders(server.address, 'demo-analyst')
    const requests = (): Requests =>
      Array.from({ length: NUMBERS }, (_, index) => ({
        method: 'POST',
        path: '/graphql',
        headers,
        body: bodyOf(index),
      }))
    sides.push({ server, requests })
  }
  return compare('customer-360, in-memory subgraphs', sides)
}

const start = (program: string, url: string) =>
  startServer(program, { env: { DATABASE_URL: url, SECRETS_KEY } })

const idPaths = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM postpaid.payment WHERE position % $1 = 0 LIMIT 500`,
    [Math.floor(ROWS / NUMBERS)],
  )
  return rows.map(({ id }) => `${COLLECTION}/${id}`)
}

/** P3 and P5: both read one database. */
const compareReads = async (): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const { client, url } = stack.use(await createScratch())
  await fillClients(client)
  await fillDirectory(client)
  await fillAnalyst(client)
  const servers: Server[] = []
  for (const program of both('gateway/main.ts')) servers.push(stack.use(await start(program, url)))
  await untilProjected(client, FILLINGS.length * ROWS)
  const analyst = await tokenHeaders(servers[0]!.address, 'bench-analyst')
  const partner = await tokenHeaders(servers[0]!.address, 'bench-partner')
  const pages = Array.from(
    { length: ROWS / PAYMENTS_OF_ONE_PAGE },
    (_, page) => `${COLLECTION}?perPage=${PAYMENTS_OF_ONE_PAGE}&page=${page}`,
  )
  const toRequests = (paths: readonly string[]) => paths.map(path => ({ path, headers: partner }))
  const works: [string, Requests][] = [
    ["the analyst's query on PostgreSQL", requestsOf(GRAPHQL, analyst) as Requests],
    ['GET payment by id', toRequests(await idPaths(client))],
    ['list page of 50', toRequests(pages)],
  ]
  const findings: Finding[] = []
  for (const [work, requests] of works) {
    const { path = '', headers, method, body } = requests[7]!
    const init = { method, headers: headers as Record<string, string>, body: body as string | undefined }
    await assertSameAnswer(servers.map(({ address }) => [address + path, init]))
    const sides = servers.map(server => ({ server, requests: () => requests }))
    findings.push(...(await compare(work, sides)))
  }
  return findings
}

/** P4: each program posts into a database of its own, until all is settled and in the timeline. */
const comparePosts = async (): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const sides = []
  for (const program of both('gateway/main.ts')) {
    const { client, url } = stack.use(await createScratch())
    await fillClients(client)
    await fillDirectory(client)
    const server = stack.use(await start(program, url))
    const headers = await tokenHeaders(server.address, 'bench-partner')
    const requests = (): Requests =>
      Array.from({ length: 200 }, (_, index) => ({
        method: 'POST',
        path: COLLECTION,
        headers,
        body: payment(index),
      }))
    sides.push({ server, requests, finish: () => untilInTimeline(client) })
  }
  return compare('POST payment until it is settled and in the timeline', sides)
}

const WORKS = { stubs: compareStubs, reads: compareReads, posts: comparePosts }

const wanted = process.argv.slice(2)
for (const [name, work] of Object.entries(WORKS))
  if (wanted.length === 0 || wanted.includes(name)) console.log(toTable(await work()))
