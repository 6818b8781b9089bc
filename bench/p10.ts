/**
 * P10: webhooks to 50 receivers on PostgreSQL: as many as possible, against a bare undici loop that reads the same rows
 * and records the outcome of each; how soon at half of that rate; and how soon payments that come through the API reach
 * a webhook and a subscriber.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Arrived } from './lib/arrivals.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory } from './lib/fill.ts'
import { load } from './lib/load.ts'
import { findingsOf, type Measured } from './lib/measured.ts'
import { tokenHeaders } from './lib/pair.ts'
import { paymentWithWebhook } from './lib/payment.ts'
import { type Receivers, startReceivers } from './lib/receivers.ts'
import { type Finding, milliseconds, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { openSubscribers } from './lib/subscribers.ts'
import {
  assertNoted,
  comparable,
  oursOf,
  sendAll,
  startBareWebhooks,
  type WebhookSide,
} from './lib/webhook-sides.ts'

const RECEIVERS = 50
const DELIVERIES = scaled(20_000, 500)
const TURNS = scaled(5)
const SECONDS = scaled(15, 2)
const PAYMENTS_PER_SECOND = 50
const SUBSCRIBERS = 10
const WITHIN_MS = 120_000

const QUERY = `subscription { paymentEvents { cursor eventid eventType eventTime eventDetail { paymentId status } } }`

interface Sides {
  readonly receivers: Receivers
  readonly ours: WebhookSide
  readonly bare: WebhookSide
}

const assertSame = async ({ receivers, ours, bare }: Sides) => {
  const seen: unknown[] = []
  for (const side of [ours, bare]) {
    await sendAll(side, receivers, 1)
    seen.push(comparable(await receivers.last()))
  }
  deepStrictEqual(seen[0], seen[1])
  await assertNoted([ours, bare], 1)
}

const measureSustained = async ({ receivers, ours, bare }: Sides): Promise<Measured[][]> => {
  const measured: Measured[][] = [[], []]
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, side] of [ours, bare].entries()) {
      const one = await sendAll(side, receivers, DELIVERIES)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  await assertNoted([ours, bare], 1 + (TURNS + 1) * DELIVERIES)
  return measured
}

const LIMIT_MS = 60

const latency = (work: string, { p50, p99 }: Arrived, target?: string): Finding => ({
  id: 'P10',
  work: `${work}, p50 / p99`,
  against: `${LIMIT_MS} ms`,
  ours: `${milliseconds(p50)} / ${milliseconds(p99)}`,
  theirs: milliseconds(LIMIT_MS),
  ratio: p99 / LIMIT_MS,
  target,
})

const measureAtRate = async (receivers: Receivers, ours: Server, rate: number): Promise<Finding> => {
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

const measurePayments = async (receivers: Receivers, ours: Server): Promise<Finding[]> => {
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

const startOurs = async (stack: AsyncDisposableStack, flags: readonly string[]) => {
  const scratch = stack.use(await createScratch())
  await fillClients(scratch.client)
  await fillDirectory(scratch.client)
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY, WEBHOOK_ALLOW: '127.0.0.1' }
  const server = stack.use(await startServer('bench/servers/event-pump.ts', { env, flags }))
  return { database: scratch.client, server }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const receivers = stack.use(await startReceivers(RECEIVERS))
  const { database, server } = await startOurs(stack, flags)
  const bare = await startBareWebhooks(stack)
  const sides = { receivers, ours: oursOf(database, server), bare }
  await assertSame(sides)
  const [ours, theirs] = await measureSustained(sides)
  const work = `${DELIVERIES.toLocaleString('en')} webhooks to ${RECEIVERS} receivers`
  const against = 'bare undici loop that notes each'
  const rate = median(ours!.map(turn => turn.rate)) / 2
  return [
    ...findingsOf({ id: 'P10', work, against, targets: ['>= 1', '>= 0.8'] }, ours!, theirs!),
    await measureAtRate(receivers, server, rate),
    ...(await measurePayments(receivers, server)),
  ]
}
