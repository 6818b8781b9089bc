/**
 * P1: a customer-360 query over three subgraphs over HTTP, about 1,000 different subscribers: our gateway as it is
 * started against Apollo's, Hive Gateway with its Rust planner, and the same two steps written by hand.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './lib/compare.ts'
import { load } from './lib/load.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { type Server, startServer } from './lib/server.ts'
import { QUERY } from './servers/stub-subgraphs.ts'
import { supergraphOf } from './servers/stub-supergraph.ts'

const CONNECTIONS = 50
const SECONDS = scaled(5, 1)
const TURNS = scaled(3)
const SUBSCRIBERS = 1_000

const bodyFor = (index: number) =>
  JSON.stringify({ query: QUERY, variables: { n: String(96_897_000_000 + index) } })

/** Every one once, in no order: two connections hardly ever ask for the same at the same time. */
const mixed = (count: number): number[] => {
  const indexes = [...Array(count).keys()]
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[indexes[last], indexes[other]] = [indexes[other]!, indexes[last]!]
  }
  return indexes
}

/** Requests per second, and per second of the gateway's CPU. */
interface Measured {
  readonly rate: number
  readonly perCpuSecond: number
}

const measure = async (gateway: Server, headers: Record<string, string>): Promise<Measured> => {
  const requests = mixed(SUBSCRIBERS).map(index => {
    return { method: 'POST', path: '/graphql', headers, body: bodyFor(index) }
  })
  const before = await gateway.cpuSeconds()
  const job = { url: gateway.address, requests, connections: CONNECTIONS, seconds: SECONDS }
  const { perSecond: rate } = await load(job)
  const cpu = (await gateway.cpuSeconds()) - before
  return { rate, perCpuSecond: (rate * SECONDS) / cpu }
}

const measureAll = async (gateways: readonly Server[], headers: Record<string, string>) => {
  const measured = gateways.map((): Measured[] => [])
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, gateway] of gateways.entries()) {
      const one = await measure(gateway, headers)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  return measured
}

const finding = (key: keyof Measured, ours: readonly Measured[], theirs: readonly Measured[]) => {
  const [mine, other] = [ours, theirs].map(turns => median(turns.map(turn => turn[key]))) as [number, number]
  return { ours: perSecond(mine), theirs: perSecond(other), ratio: mine / other }
}

/** Whom ours is measured against, and how many requests per second for each of theirs are wanted. */
const AGAINST = [
  ['stock Apollo Gateway', '>= 4.5'],
  ['Hive Gateway, Rust planner, its JWT plugin', '>= 2.5'],
  ['hand-written endpoint', '>= 0.8'],
] as const

const findingsOf = ([ours, ...others]: Measured[][]): Finding[] =>
  AGAINST.flatMap(([against, target], index) => {
    const work = 'customer-360, stub subgraphs over HTTP'
    const theirs = others[index]!
    return [
      { id: 'P1', work, against, ...finding('rate', ours!, theirs), target },
      {
        id: 'P1',
        work: `${work}: per CPU second of the gateway`,
        against,
        ...finding('perCpuSecond', ours!, theirs),
      },
    ]
  })

const supergraphFile = async (port: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-bench-'))
  const file = join(folder, 'supergraph.graphql')
  await writeFile(file, supergraphOf(port))
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const startAll = async (stack: AsyncDisposableStack, flags: readonly string[]): Promise<Server[]> => {
  const stubs = stack.use(await startServer('bench/servers/light-stubs.ts'))
  const STUB_PORT = new URL(stubs.address).port
  const { file: SUPERGRAPH } = stack.use(await supergraphFile(Number(STUB_PORT)))
  const own = { DATA_DIR: 'memory:', DEMO: '1', SUPERGRAPH }
  const ours = stack.use(await startServer('gateway/gateway-only.ts', { env: own, flags }))
  const env = { ISSUER: ours.address, STUB_PORT }
  const stock = stack.use(await startServer('bench/servers/stock-gateway.ts', { env }))
  const hiveEnv = {
    ISSUER: ours.address,
    SUPERGRAPH,
    HIVE_ROUTER_RUNTIME: '1',
    CONFIG: 'verifying.config.ts',
  }
  const hive = stack.use(await startServer('bench/hive/start.ts', { env: hiveEnv }))
  const bare = stack.use(await startServer('bench/servers/bare-gateway.ts', { env }))
  return [ours, stock, hive, bare]
}

const assertTokensAreVerified = async (gateways: readonly Server[]) => {
  for (const { address } of gateways) {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer e30.e30.e30' }
    const response = await fetch(`${address}/graphql`, { method: 'POST', headers, body: bodyFor(7) })
    if ((await response.text()).includes('mobileNumber')) throw new Error(`${address} accepts any token`)
  }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const gateways = await startAll(stack, flags)
  const headers = await tokenHeaders(gateways[0]!.address, 'demo-analyst')
  await assertTokensAreVerified(gateways)
  const init = { method: 'POST', headers, body: bodyFor(7) }
  await assertSameAnswer(gateways.map(({ address }) => [`${address}/graphql`, init]))
  return findingsOf(await measureAll(gateways, headers))
}
