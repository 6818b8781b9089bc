/**
 * This checkout against another one: `BENCH_BASE=<folder> node bench/before.ts [work …]`. Both programs get the same
 * requests in turns, so that a change which makes something slower shows, whatever else the machine does.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fillAnalyst, GRAPHQL, ROWS, requestsOf } from './lib/analyst-query.ts'
import {
  CHECKOUTS,
  type Checkout,
  compared,
  measureCheckouts,
  openCheckoutDatabase,
  startProgram,
} from './lib/checkouts.ts'
import { FILLINGS, fillTransactions, PAYMENTS, untilProjected } from './lib/fill.ts'
import { type Measured, type MeasuredSide, measureSides } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { startReceivers } from './lib/receivers.ts'
import { type Finding, toTable } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import type { Server } from './lib/server.ts'
import { startServer } from './lib/server.ts'
import { untilInTimeline } from './lib/settled.ts'
import { openSubscribers } from './lib/subscribers.ts'
import { oursOf, sendAll } from './lib/webhook-sides.ts'
import { startWorker } from './lib/worker.ts'
import { allHeaders, BODY, fillPartners, supergraphFile } from './p20.ts'
import { QUERY } from './servers/stub-subgraphs.ts'
import { supergraphOf } from './servers/stub-supergraph.ts'

const PLAN = { connections: 50, seconds: scaled(3, 1), turns: scaled(3) }
const STARTS = scaled(5)
const COLLECTION = '/postpaid-billing/v1/payments'
const NUMBERS = 1_000
const PAYMENTS_OF_ONE_PAGE = 50
const DEMO = { DATA_DIR: 'memory:', DEMO: '1' }

type Requests = Awaited<ReturnType<MeasuredSide['requests']>>

const GATEWAY_ONLY = ['topology/gateway-only.ts', 'gateway/gateway-only.ts'] as const

/** Requests for customer-360 of many subscribers. */
const customerSide = async (server: Server): Promise<MeasuredSide> => {
  const headers = await tokenHeaders(server.address, 'demo-analyst')
  const toRequest = (_: unknown, index: number) => ({
    method: 'POST' as const,
    path: '/graphql',
    headers,
    body: JSON.stringify({ query: QUERY, variables: { n: String(96_897_000_000 + index) } }),
  })
  return { server, requests: () => Array.from({ length: NUMBERS }, toRequest) }
}

/** P2: customer-360 over in-memory subgraphs, in one process. */
const compareStubs = async (): Promise<Finding[]> => {
  const open = async (stack: AsyncDisposableStack, checkout: Checkout) =>
    customerSide(await startProgram(stack, checkout, 'bench/servers/stub-all-in-one.ts', DEMO))
  return compared(
    'customer-360, in-memory subgraphs',
    await measureCheckouts(open, { ...PLAN, starts: STARTS }),
  )
}

/** P1: customer-360 over the same stub subgraphs over HTTP. */
const compareGateways = async (): Promise<Finding[]> => {
  await using shared = new AsyncDisposableStack()
  const stubs = shared.use(await startServer('bench/servers/light-stubs.ts'))
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-bench-'))
  shared.defer(() => rm(folder, { recursive: true }))
  const SUPERGRAPH = join(folder, 'supergraph.graphql')
  await writeFile(SUPERGRAPH, supergraphOf(Number(new URL(stubs.address).port)))
  const open = async (stack: AsyncDisposableStack, checkout: Checkout) =>
    customerSide(await startProgram(stack, checkout, GATEWAY_ONLY, { ...DEMO, SUPERGRAPH }))
  return compared(
    'customer-360, subgraphs over HTTP',
    await measureCheckouts(open, { ...PLAN, starts: STARTS }),
  )
}

/** Payments that all rows of the table have a share in, by their ids. */
const ID_PATHS = Array.from({ length: 500 }, (_, index) => {
  const position = (index + 1) * Math.floor(ROWS / NUMBERS)
  return `${COLLECTION}/01900000-0000-7000-8001-${position.toString(16).padStart(12, '0')}`
})

const LIST_PATHS = Array.from(
  { length: ROWS / PAYMENTS_OF_ONE_PAGE },
  (_, page) => `${COLLECTION}?perPage=${PAYMENTS_OF_ONE_PAGE}&page=${page}`,
)

/** P3 and P5: each reads a database of its own, with the same rows. */
const compareReads = async (): Promise<Finding[]> => {
  await using databases = new AsyncDisposableStack()
  const environments = new Map<Checkout, Readonly<Record<string, string>>>()
  for (const checkout of CHECKOUTS) {
    const { client, env } = await openCheckoutDatabase(databases, checkout)
    await fillAnalyst(client)
    environments.set(checkout, env)
    await using filling = new AsyncDisposableStack()
    await startProgram(filling, checkout, 'gateway/main.ts', env)
    await untilProjected(client, FILLINGS.length * ROWS)
    await client.query('VACUUM ANALYZE')
  }
  const toRequests = (headers: Record<string, string>, paths: readonly string[]): Requests =>
    paths.map(path => ({ path, headers }))
  const works: [string, string, (headers: Record<string, string>) => Requests][] = [
    ["the analyst's query on PostgreSQL", 'analyst', headers => requestsOf(GRAPHQL, headers) as Requests],
    ['GET payment by id', 'partner', headers => toRequests(headers, ID_PATHS)],
    ['list page of 50', 'partner', headers => toRequests(headers, LIST_PATHS)],
  ]
  const measured = works.map((): [Measured[], Measured[]] => [[], []])
  for (let start = 0; start < STARTS; start += 1) {
    await using stack = new AsyncDisposableStack()
    const servers: Server[] = []
    for (const checkout of CHECKOUTS)
      servers.push(await startProgram(stack, checkout, 'gateway/main.ts', environments.get(checkout)!))
    for (const [index, [, role, requestsFor]] of works.entries()) {
      const sides = []
      for (const server of servers) {
        const requests = requestsFor(await tokenHeaders(server.address, `bench-${role}`))
        sides.push({ server, requests: () => requests })
      }
      await assertSameAnswer(
        sides.map(({ server, requests }) => {
          const { path = '', headers, method, body } = requests()[7]!
          const init = {
            method,
            headers: headers as Record<string, string>,
            body: body as string | undefined,
          }
          return [server.address + path, init]
        }),
      )
      for (const [side, turns] of (await measureSides(sides, PLAN)).entries())
        measured[index]![side]!.push(...turns)
    }
  }
  return works.flatMap(([work], index) => compared(work, measured[index]!))
}

/** P4: each program posts into a database of its own, until all is settled and in the timeline. */
const comparePosts = async (): Promise<Finding[]> => {
  const open = async (stack: AsyncDisposableStack, checkout: Checkout): Promise<MeasuredSide> => {
    const { client, env } = await openCheckoutDatabase(stack, checkout)
    const server = await startProgram(stack, checkout, 'gateway/main.ts', env)
    const headers = await tokenHeaders(server.address, 'bench-partner')
    const toRequest = (_: unknown, index: number) => ({
      method: 'POST' as const,
      path: COLLECTION,
      headers,
      body: payment(index),
    })
    return {
      server,
      requests: () => Array.from({ length: 200 }, toRequest),
      finish: () => untilInTimeline(client),
    }
  }
  return compared(
    'POST payment until it is settled and in the timeline',
    await measureCheckouts(open, { ...PLAN, starts: STARTS }),
  )
}

const DELIVERIES = scaled(20_000, 500)

/** P10: each program sends webhooks that wait in a database of its own to the same receivers. */
const compareWebhooks = async (): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const receivers = stack.use(await startReceivers(50))
  const sides = []
  for (const checkout of CHECKOUTS) {
    const { client, env } = await openCheckoutDatabase(stack, checkout)
    const own = { ...env, WEBHOOK_ALLOW: '127.0.0.1' }
    sides.push(oursOf(client, await startProgram(stack, checkout, 'bench/servers/event-pump.ts', own)))
  }
  const measured = sides.map((): Measured[] => [])
  for (let turn = -1; turn < 2 * PLAN.turns; turn += 1) {
    for (const [index, side] of sides.entries()) {
      const one = await sendAll(side, receivers, DELIVERIES)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  return compared('webhooks to 50 receivers', measured)
}

const EVENTS = { rate: 20, count: scaled(100, 20), payments: 1_000 }
const SUBSCRIBERS = scaled(100, 20)
const SUBSCRIPTION = `subscription { paymentEvents { cursor eventid eventType eventTime eventDetail { paymentId status }
  payment { amount { value currency } subscriber { mobileNumber pointsBalance } } } }`

/** Processor time of a gateway over two subgraph processes of its own checkout, while events reach its subscribers. */
const measureSubscribers = async (checkout: Checkout): Promise<Measured> => {
  await using stack = new AsyncDisposableStack()
  const { client, env } = await openCheckoutDatabase(stack, checkout)
  await fillTransactions(client, PAYMENTS, EVENTS.payments)
  const writer = stack.use(startWorker(checkout.program('bench/lib/event-writer-process.ts')))
  await writer.call('open', env)
  const urls: string[] = []
  for (const name of ['postpaid-billing', 'loyalty']) {
    const { address } = await startProgram(stack, checkout, 'subgraphs/main.ts', env, [name])
    urls.push(`${name}=${address}/graphql`)
  }
  const gateway = await startProgram(stack, checkout, GATEWAY_ONLY, { ...env, SUBGRAPH_URLS: urls.join(',') })
  const { authorization } = await tokenHeaders(gateway.address, 'bench-analyst')
  const url = `${gateway.address.replace('http', 'ws')}/graphql`
  const tokens = [authorization!]
  const clients = stack.use(await openSubscribers({ url, clients: SUBSCRIBERS, tokens, query: SUBSCRIPTION }))
  await delay(2_000)
  const before = await gateway.cpuSeconds()
  const count = EVENTS.count * SUBSCRIBERS
  const arriving = clients.until({ count, withinMs: (EVENTS.count / EVENTS.rate) * 1_000 + 10_000 })
  const [arrived] = await Promise.all([arriving, writer.call('write', EVENTS)])
  return { rate: arrived.count, perCpuSecond: arrived.count / ((await gateway.cpuSeconds()) - before) }
}

/** P8: events to subscribers. Their rate is that of the events, so that processor time alone is compared. */
const compareSubscribers = async (): Promise<Finding[]> => {
  const measured: [Measured[], Measured[]] = [[], []]
  for (let turn = 0; turn < STARTS; turn += 1)
    for (const [index, checkout] of CHECKOUTS.entries())
      measured[index]!.push(await measureSubscribers(checkout))
  return compared(`${SUBSCRIBERS} subscribers, ${EVENTS.rate} events a second`, measured).slice(1)
}

/** P20: a deeply nested query of many clients over subgraphs over HTTP. */
const compareNested = async (): Promise<Finding[]> => {
  await using shared = new AsyncDisposableStack()
  const stubs = shared.use(
    await startServer('bench/servers/light-stubs.ts', { env: { STUBS: './nested-subgraphs.ts' } }),
  )
  const { file: SUPERGRAPH } = shared.use(await supergraphFile(Number(new URL(stubs.address).port)))
  const open = async (stack: AsyncDisposableStack, checkout: Checkout): Promise<MeasuredSide> => {
    const { client, env } = await openCheckoutDatabase(stack, checkout)
    await fillPartners(client)
    const own = { ...env, SUPERGRAPH, MAX_OPERATION_COST: '10000000' }
    const server = await startProgram(stack, checkout, GATEWAY_ONLY, own)
    const clients = await allHeaders(server.address)
    return {
      server,
      requests: () =>
        clients.map(headers => ({ method: 'POST' as const, path: '/graphql', headers, body: BODY })),
    }
  }
  return compared('nested query, 1,000 tokens', await measureCheckouts(open, { ...PLAN, starts: STARTS }))
}

const WORKS = {
  stubs: compareStubs,
  http: compareGateways,
  reads: compareReads,
  posts: comparePosts,
  webhooks: compareWebhooks,
  subscribers: compareSubscribers,
  nested: compareNested,
}

const wanted = process.argv.slice(2)
for (const [name, work] of Object.entries(WORKS))
  if (wanted.length === 0 || wanted.includes(name)) console.log(toTable(await work()))
