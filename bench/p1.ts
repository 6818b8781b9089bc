/**
 * P1: a customer-360 query over three subgraphs over HTTP, about 1,000 different subscribers: our gateway as it is
 * started against Apollo's, Hive Gateway with its Rust planner, and the same two steps written by hand.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findingsOf, type Measured, measureAll } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { type Server, startServer } from './lib/server.ts'
import { QUERY } from './servers/stub-subgraphs.ts'
import { supergraphOf } from './servers/stub-supergraph.ts'

const PLAN = { connections: 50, seconds: scaled(5, 1), turns: scaled(3) }
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

/** Peers of the measurement, each with the target ratio. */
const AGAINST = [
  ['stock Apollo Gateway', '>= 8'],
  ['Hive Gateway, Rust planner, its JWT plugin', '>= 4'],
  ['hand-written endpoint', '>= 1'],
] as const

const allFindings = ([ours, ...others]: Measured[][]): Finding[] =>
  AGAINST.flatMap(([against, target], index) => {
    const work = 'customer-360, stub subgraphs over HTTP'
    return findingsOf({ id: 'P1', work, against, targets: [target, target] }, ours!, others[index]!)
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
  const ours = stack.use(await startServer('topology/gateway-only.ts', { env: own, flags }))
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
  const requests = () =>
    mixed(SUBSCRIBERS).map(index => ({
      method: 'POST' as const,
      path: '/graphql',
      headers,
      body: bodyFor(index),
    }))
  return allFindings(await measureAll(gateways, { ...PLAN, requests }))
}
