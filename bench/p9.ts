/** P9: 10,000 idle WebSocket subscribers: memory and CPU for each, and how fast one event then reaches them all. */
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './lib/compare.ts'
import { accountOf, fillClients, fillDirectory, mobileOf } from './lib/fill.ts'
import { tokenHeaders } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { openSubscribers, type Subscribers } from './lib/subscribers.ts'

const CLIENTS = scaled(10_000, 50)
const TURNS = scaled(3)
/** Longer than anything that is kept for a request's time. */
const IDLE_MS = scaled(15_000, 1_000)
const EVENTS = scaled(5)
const ARRIVE_WITHIN_MS = 30_000

const QUERY = `subscription { paymentEvents { cursor eventid eventType eventTime eventDetail { paymentId status } } }`

interface Side {
  start(): Promise<Server>
  /** Makes one event that every subscriber gets. */
  publish(server: Server): Promise<void>
}

/** Bytes of memory and milliseconds of CPU per second and client; messages per second, and per second of CPU. */
interface Measured {
  readonly rss: number
  readonly heap: number
  readonly idleCpu: number
  readonly fanOut: number
  readonly perCpuSecond: number
}

const fanOut = async (server: Server, clients: Subscribers, publish: Side['publish']) => {
  const before = await server.cpuSeconds()
  const rates: number[] = []
  for (let event = 0; event < EVENTS; event += 1) {
    await clients.reset()
    const arrived = clients.until({ count: CLIENTS, withinMs: ARRIVE_WITHIN_MS })
    await publish(server)
    rates.push((await arrived).perSecond)
  }
  const cpu = (await server.cpuSeconds()) - before
  return { fanOut: median(rates), perCpuSecond: (EVENTS * CLIENTS) / cpu }
}

/** A few come, get an event and go, so that what is loaded once is not counted. */
const warmUp = async (server: Server, tokens: readonly string[], publish: Side['publish']) => {
  const url = `${server.address.replace('http', 'ws')}/graphql`
  const clients = 50
  await using few = await openSubscribers({ url, clients, tokens, query: QUERY })
  await delay(500)
  await publish(server)
  await few.until({ count: clients, withinMs: ARRIVE_WITHIN_MS })
}

const measure = async (side: Side, tokens: readonly string[]): Promise<Measured> => {
  await using server = await side.start()
  await warmUp(server, tokens, side.publish)
  const before = await server.memory()
  const url = `${server.address.replace('http', 'ws')}/graphql`
  await using clients = await openSubscribers({ url, clients: CLIENTS, tokens, query: QUERY })
  await delay(1_000)
  const cpuBefore = await server.cpuSeconds()
  await delay(IDLE_MS)
  const cpu = (await server.cpuSeconds()) - cpuBefore
  const after = await server.memory()
  return {
    rss: (after.rss - before.rss) / CLIENTS,
    heap: (after.heap - before.heap) / CLIENTS,
    idleCpu: (cpu * 1_000) / IDLE_MS,
    ...(await fanOut(server, clients, side.publish)),
  }
}

const payment = () =>
  JSON.stringify({
    paymentTransaction: {
      clientCorrelatorId: crypto.randomUUID(),
      referenceCode: 'P9',
      customerInfo: { customerAccountNumber: accountOf(1), phoneNumber: mobileOf(1) },
      paymentInfo: { paymentInformation: { amount: 5.25, currency: 'OMR', description: 'Monthly bill' } },
    },
  })

const pay = async ({ address }: Server, headers: Record<string, string>) => {
  const path = `${address}/postpaid-billing/v1/payments`
  const { status } = await fetch(path, { method: 'POST', headers, body: payment() })
  if (status !== 201) throw new Error(`a payment was answered with ${status}`)
}

const kilobytes = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KiB`
const percent = (share: number) => `${(share * 100).toFixed(1)} %`

const findingsOf = (ours: readonly Measured[], theirs: readonly Measured[]): Finding[] => {
  const finding = (
    name: keyof Measured,
    work: string,
    show: (value: number) => string,
    target?: string,
  ): Finding => {
    const [mine, other] = [ours, theirs].map(turns => median(turns.map(turn => turn[name]))) as [
      number,
      number,
    ]
    const against = 'bare ws + graphql-ws'
    return { id: 'P9', work, against, ours: show(mine), theirs: show(other), ratio: mine / other, target }
  }
  const clients = `${CLIENTS.toLocaleString('en')} idle subscribers`
  return [
    finding('rss', `${clients}: resident memory of each`, kilobytes, '<= 1.5'),
    finding('heap', `${clients}: heap and external memory of each`, kilobytes),
    finding('idleCpu', `${clients}: of one processor`, percent),
    finding('fanOut', 'one event to all of them: messages', perSecond),
    finding('perCpuSecond', 'one event to all of them: messages per CPU second', perSecond),
  ]
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  await fillClients(scratch.client)
  await fillDirectory(scratch.client)
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY }
  const start = () => startServer('gateway/main.ts', { env, flags })
  await using issuer = await start()
  const partner = await tokenHeaders(issuer.address, 'bench-partner')
  const others = [partner, await tokenHeaders(issuer.address, 'bench-analyst')]
  const tokens = others.map(headers => headers['authorization']!)
  const bareEnv = { ISSUER: issuer.address }
  const ours: Side = { start, publish: server => pay(server, partner) }
  const bare: Side = {
    start: () => startServer('bench/servers/bare-subscriptions.ts', { env: bareEnv }),
    publish: async ({ address }) => void (await fetch(`${address}/publish`, { method: 'POST' })),
  }
  const measured: [Measured[], Measured[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn += 1) {
    measured[0].push(await measure(ours, tokens))
    measured[1].push(await measure(bare, tokens))
  }
  return findingsOf(...measured)
}
