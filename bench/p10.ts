/**
 * P10: webhooks to 50 receivers on PostgreSQL: as many as possible, against a bare undici loop; how soon at half of
 * that rate; and how soon payments that come through the API reach a webhook and a subscriber.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Arrived } from './lib/arrivals.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory } from './lib/fill.ts'
import { load } from './lib/load.ts'
import { tokenHeaders } from './lib/pair.ts'
import { paymentWithWebhook } from './lib/payment.ts'
import { type Receivers, startReceivers } from './lib/receivers.ts'
import type { Received } from './lib/receivers-process.ts'
import { type Finding, milliseconds, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { openSubscribers } from './lib/subscribers.ts'
import { startWorker, type Worker } from './lib/worker.ts'

const RECEIVERS = 50
const DELIVERIES = scaled(20_000, 500)
const TURNS = scaled(3)
/** As many as ours sends to one receiver at a time. */
const PER_ORIGIN = 16
const SECONDS = scaled(15, 2)
const PAYMENTS_PER_SECOND = 50
const SUBSCRIBERS = 10
const WITHIN_MS = 120_000

const QUERY = `subscription { paymentEvents { cursor eventid eventType eventTime eventDetail { paymentId status } } }`

interface Sides {
  readonly receivers: Receivers
  readonly ours: Server
  readonly bare: Worker
}

type Send = (count: number) => Promise<unknown>

const sendersOf = ({ receivers: { origins }, ours, bare }: Sides): [ours: Send, bare: Send] => [
  count => ours.call('fill', { origins, count }),
  count => bare.call('post', { origins, count, perOrigin: PER_ORIGIN }),
]

const ratesOf = async ({ receivers }: Sides, send: Send, count: number): Promise<Arrived> => {
  await receivers.reset()
  const arrived = receivers.until({ count, withinMs: WITHIN_MS })
  await Promise.all([arrived, send(count)])
  return arrived
}

/** Ids and times must differ, and are as long. */
const comparable = ({ path, headers, body }: Received) => ({
  path,
  headers,
  body: body.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+/g, 'time'),
})

const assertSame = async (sides: Sides) => {
  const seen: unknown[] = []
  for (const send of sendersOf(sides)) {
    await ratesOf(sides, send, 1)
    seen.push(comparable(await sides.receivers.last()))
  }
  deepStrictEqual(seen[0], seen[1])
}

const measureSustained = async (sides: Sides): Promise<Finding & { rate: number }> => {
  const measured: [number[], number[]] = [[], []]
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, send] of sendersOf(sides).entries()) {
      const { perSecond: rate } = await ratesOf(sides, send, DELIVERIES)
      if (turn >= 0) measured[index]!.push(rate)
    }
  }
  const [ours, theirs] = measured.map(median) as [number, number]
  return {
    id: 'P10',
    work: `${DELIVERIES.toLocaleString('en')} webhooks to ${RECEIVERS} receivers`,
    against: 'bare undici loop',
    ours: perSecond(ours),
    theirs: perSecond(theirs),
    ratio: ours / theirs,
    target: '>= 0.5',
    rate: ours,
  }
}

const LIMIT_MS = 250

const latency = (work: string, { p50, p99 }: Arrived, target?: string): Finding => ({
  id: 'P10',
  work: `${work}, p50 / p99`,
  against: `${LIMIT_MS} ms`,
  ours: `${milliseconds(p50)} / ${milliseconds(p99)}`,
  theirs: milliseconds(LIMIT_MS),
  ratio: p99 / LIMIT_MS,
  target,
})

const measureAtRate = async ({ receivers, ours }: Sides, rate: number): Promise<Finding> => {
  await receivers.reset()
  const { origins } = receivers
  const count = await ours.call<number>('pump', { origins, rate, seconds: SECONDS })
  const arrived = await receivers.until({ count, withinMs: WITHIN_MS })
  return latency(`event to webhook at ${perSecond(rate)}`, arrived, '<= 1')
}

const pay = ({ address }: Server, { origins }: Receivers, headers: Record<string, string>) =>
  load({
    url: address,
    connections: 10,
    seconds: SECONDS,
    rate: PAYMENTS_PER_SECOND,
    requests: Array.from({ length: 200 }, (_, index) => ({
      method: 'POST',
      path: '/postpaid-billing/v1/payments',
      headers,
      body: paymentWithWebhook(index, origins[index % origins.length]!),
    })),
  })

const measurePayments = async ({ receivers, ours }: Sides): Promise<Finding[]> => {
  const headers = await tokenHeaders(ours.address, 'bench-partner')
  const url = `${ours.address.replace('http', 'ws')}/graphql`
  const tokens = [headers['authorization']!]
  await using clients = await openSubscribers({ url, clients: SUBSCRIBERS, tokens, query: QUERY })
  await receivers.reset()
  await pay(ours, receivers, headers)
  await delay(2_000)
  const [webhooks, messages] = [await receivers.report(), await clients.report()]
  if (messages.count !== webhooks.count * SUBSCRIBERS)
    throw new Error(
      `${webhooks.count} webhooks, but ${messages.count} messages to ${SUBSCRIBERS} subscribers`,
    )
  const work = `${PAYMENTS_PER_SECOND} payments/s through the API: event to`
  return [
    latency(`${work} webhook`, webhooks),
    latency(`${work} each of ${SUBSCRIBERS} subscribers`, messages),
  ]
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  await fillClients(scratch.client)
  await fillDirectory(scratch.client)
  await using receivers = await startReceivers(RECEIVERS)
  await using bare = startWorker('poster-process.ts')
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY, WEBHOOK_ALLOW: '127.0.0.1' }
  await using ours = await startServer('bench/servers/event-pump.ts', { env, flags })
  const sides = { receivers, ours, bare }
  await assertSame(sides)
  const { rate, ...sustained } = await measureSustained(sides)
  return [sustained, await measureAtRate(sides, rate / 2), ...(await measurePayments(sides))]
}
