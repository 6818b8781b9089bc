/**
 * P8: 500 subscribers to the same events, 20 a second, each event with fields of another subgraph: what a gateway's
 * CPU second delivers, and how soon, against Hive Gateway over the very same subgraph processes.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Arrived } from './lib/arrivals.ts'
import { median } from './lib/compare.ts'
import { fillClients, fillDirectory, fillTransactions, PAYMENTS } from './lib/fill.ts'
import { firstEvents } from './lib/first-events.ts'
import { tokenHeaders } from './lib/pair.ts'
import { type Finding, milliseconds, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, type ServerOptions, startServer } from './lib/server.ts'
import { openSubscribers } from './lib/subscribers.ts'
import { startWorker, type Worker } from './lib/worker.ts'

/** Fewer show what happens at a load that every side can carry. */
const CLIENTS = Number(process.env['BENCH_CLIENTS'] ?? scaled(100, 20))
const RATE = 20
const EVENTS = scaled(200, 40)
const WARM_EVENTS = 20
const TURNS = scaled(3)
const PAYMENTS_KEPT = 1_000
/** An event that has not arrived so long after the last one was written counts as not delivered. */
const GRACE_MS = 2_000
const QUIET_WITHIN_S = 30
const ANALYSTS = 8

/** The subgraphs that take part; no gateway needs the others for this. */
const SUBGRAPHS = ['postpaid-billing', 'loyalty']

const SELECTION = `cursor eventid eventType eventTime eventDetail { paymentId status }
  payment { amount { value currency } subscriber { mobileNumber pointsBalance } }`
const QUERY = `subscription { paymentEvents { ${SELECTION} } }`
const REPLAY = `subscription ($after: String) { paymentEvents(after: $after) { ${SELECTION} } }`

interface Side {
  readonly name: string
  readonly tokens: readonly string[]
  start(): Promise<Server>
}

interface Stage {
  readonly subgraphs: readonly Server[]
  readonly writer: Worker
}

/** Messages per CPU second of the gateway; milliseconds; a share of 1; bytes; CPU seconds per second. */
interface Measured {
  readonly perCpuSecond: number
  readonly p50: number
  readonly p99: number
  readonly delivered: number
  readonly rss: number
  readonly gatewayCpu: number
  readonly subgraphCpu: number
}

const socketOf = ({ address }: Server) => `${address.replace('http', 'ws')}/graphql`

const write = ({ writer }: Stage, count: number) =>
  writer.call('write', { rate: RATE, count, payments: PAYMENTS_KEPT })

const cpuOf = async (servers: readonly Server[]) => {
  const seconds = await Promise.all(servers.map(server => server.cpuSeconds()))
  return seconds.reduce((sum, one) => sum + one, 0)
}

/** Events that have arrived by the end, all or not. */
const arrivedBy = async (all: Promise<Arrived>, report: () => Promise<Arrived>) => all.catch(report)

/** Waits until the subgraphs have done the rest of a turn's work, before the next begins. */
const untilQuiet = async ({ subgraphs }: Stage) => {
  for (let times = 0; times < QUIET_WITHIN_S; times += 1) {
    const before = await cpuOf(subgraphs)
    await delay(1_000)
    if ((await cpuOf(subgraphs)) - before < 0.05) return
  }
}

const measure = async (side: Side, stage: Stage): Promise<Measured> => {
  await untilQuiet(stage)
  await using gateway = await side.start()
  const job = { url: socketOf(gateway), clients: CLIENTS, tokens: side.tokens, query: QUERY, tolerant: true }
  await using clients = await openSubscribers(job)
  await delay(2_000)
  const all = (events: number) => ({ count: events * CLIENTS, withinMs: (events / RATE) * 1_000 + GRACE_MS })
  const warm = clients.until(all(WARM_EVENTS)).catch(() => delay(GRACE_MS))
  await Promise.all([warm, write(stage, WARM_EVENTS)])
  await clients.reset()
  const [before, others] = [await gateway.cpuSeconds(), await cpuOf(stage.subgraphs)]
  const start = performance.now()
  const arriving = arrivedBy(clients.until(all(EVENTS)), () => clients.report())
  const [arrived] = await Promise.all([arriving, write(stage, EVENTS)])
  const seconds = (performance.now() - start) / 1_000
  const gatewayCpu = (await gateway.cpuSeconds()) - before
  return {
    perCpuSecond: arrived.count / gatewayCpu,
    p50: arrived.p50,
    p99: arrived.p99,
    delivered: arrived.count / (EVENTS * CLIENTS),
    gatewayCpu: gatewayCpu / seconds,
    subgraphCpu: ((await cpuOf(stage.subgraphs)) - others) / seconds,
    rss: (await gateway.memory()).rss,
  }
}

const assertSame = async (sides: readonly Side[], stage: Stage) => {
  await write(stage, 5)
  const responses: unknown[] = []
  for (const side of sides) {
    await using gateway = await side.start()
    const [token] = side.tokens
    responses.push(await firstEvents({ url: socketOf(gateway), token: token!, query: REPLAY, count: 5 }))
  }
  for (const response of responses) deepStrictEqual(response, responses[0])
}

const percent = (share: number) => `${(share * 100).toFixed(share < 0.995 ? 1 : 0)} %`
const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`

const SHOWN: readonly (readonly [keyof Measured, string, (value: number) => string, string?])[] = [
  ['perCpuSecond', 'messages per CPU second of the gateway', perSecond],
  ['p50', 'event to arrival, p50', milliseconds],
  ['p99', 'event to arrival, p99', milliseconds, '<= 0.5'],
  ['delivered', 'delivered without errors', percent],
  ['gatewayCpu', 'of a processor, the gateway', percent],
  ['subgraphCpu', 'of a processor, both subgraphs', percent],
  ['rss', 'resident memory of the gateway', megabytes],
]

type Results = ReadonlyMap<Side, readonly Measured[]>

/** @param target for messages per CPU second: of our gateway alone against another, with the same tokens. */
const findingsOf = (results: Results, ours: Side, theirs: Side, target?: string): Finding[] =>
  SHOWN.map(([key, work, show, ownTarget]) => {
    const wanted = target && (key === 'perCpuSecond' ? target : ownTarget)
    const of = (side: Side) => median(results.get(side)!.map(turn => turn[key]))
    const [mine, other] = [of(ours), of(theirs)]
    return {
      id: 'P8',
      work: `${CLIENTS} subscribers, ${RATE} events/s: ${work}`,
      against: `${theirs.name}${target ? '' : ` (ours: ${ours.name})`}`,
      ours: show(mine),
      theirs: show(other),
      ratio: mine / other,
      ...(wanted && { target: wanted }),
    }
  })

const startSubgraph = (name: string, env: ServerOptions['env']) =>
  startServer('subgraphs/main.ts', { env, args: [name] })

const fillAnalysts = async (sql: { query(text: string): Promise<unknown> }) => {
  await sql.query(`
    INSERT INTO access.client (id, name, role, secret_hash, currencies)
    SELECT 'bench-analyst-' || n, name, role, secret_hash, currencies
    FROM access.client, generate_series(1, ${ANALYSTS}) n WHERE id = 'bench-analyst'`)
}

/** Each client's secret is that of the one it was copied from. */
const tokenOf = (address: string, index: number) =>
  tokenHeaders(address, `bench-analyst-${index}`, 'bench-analyst-secret')

interface Starts {
  readonly env: Record<string, string>
  readonly hiveEnv: Record<string, string>
  readonly flags: readonly string[]
}

const sidesOf = (tokens: readonly string[], { env, hiveEnv, flags }: Starts) => {
  const [token] = tokens
  const SUBGRAPH_URLS = hiveEnv['SUBGRAPH_URLS']!
  const alone = () => startServer('topology/gateway-only.ts', { env: { ...env, SUBGRAPH_URLS }, flags })
  const hive = (more: object) => () => startServer('bench/hive/start.ts', { env: { ...hiveEnv, ...more } })
  const rust = { HIVE_ROUTER_RUNTIME: '1' }
  const one = [token!]
  return {
    ours: { name: 'the gateway alone', tokens, start: alone },
    hive: { name: 'Hive Gateway', tokens, start: hive({}) },
    rust: { name: 'Hive Gateway, Rust planner', tokens, start: hive(rust) },
    oursOne: { name: 'one token', tokens: one, start: alone },
    hiveOne: { name: 'Hive Gateway, one token', tokens: one, start: hive({}) },
    rustOne: { name: 'Hive Gateway, Rust planner, one token', tokens: one, start: hive(rust) },
    allInOne: {
      name: 'all in one process',
      tokens,
      start: () => startServer('gateway/main.ts', { env, flags }),
    },
  } satisfies Record<string, Side>
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using scratch = await createScratch()
  await fillClients(scratch.client)
  await fillDirectory(scratch.client)
  await fillTransactions(scratch.client, PAYMENTS, PAYMENTS_KEPT)
  await fillAnalysts(scratch.client)
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY }
  await using stack = new AsyncDisposableStack()
  const writer = stack.use(startWorker('event-writer-process.ts'))
  await writer.call('open', env)
  const subgraphs: Server[] = []
  for (const name of SUBGRAPHS) subgraphs.push(stack.use(await startSubgraph(name, env)))
  const urls = subgraphs.map(({ address }, index) => `${SUBGRAPHS[index]}=${address}/graphql`)
  const hiveEnv = { SUBGRAPH_URLS: urls.join(',') }
  await using issuer = await startServer('topology/gateway-only.ts', { env: { ...env, ...hiveEnv } })
  const numbers = Array.from({ length: ANALYSTS }, (_, index) => index + 1)
  const headers = await Promise.all(numbers.map(number => tokenOf(issuer.address, number)))
  const tokens = headers.map(header => header['authorization']!)
  const sides = sidesOf(tokens, { env, hiveEnv, flags })
  const stage = { subgraphs, writer }
  const { ours, hive, rust, oursOne, hiveOne, rustOne, allInOne } = sides
  await assertSame([ours, hive, rust, allInOne], stage)
  const results = new Map<Side, Measured[]>(Object.values(sides).map(side => [side, []]))
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [side, measured] of results) measured.push(await measure(side, stage))
  }
  return [
    ...findingsOf(results, ours, hive, '>= 6'),
    ...findingsOf(results, ours, rust, '>= 4'),
    ...findingsOf(results, oursOne, hiveOne),
    ...findingsOf(results, oursOne, rustOne),
    ...findingsOf(results, allInOne, ours),
  ]
}
