/**
 * P20: the field's own comparison of gateways. Four subgraphs over HTTP, one deeply nested query, an answer of some 31 kB, 50
 * connections, and in each request one of a thousand tokens, which is passed on. Nothing is shared between these clients.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashSecret } from '#core/access/secrets.ts'
import { isInstalled, startGrafbase } from './grafbase/start.ts'
import { QUOTAS, type Sql } from './lib/fill.ts'
import { findingsOf, measureAll } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'
import { QUERY, STUBS } from './servers/nested-subgraphs.ts'
import { supergraphOf } from './servers/stub-supergraph.ts'

const PLAN = { connections: 50, seconds: scaled(8, 1), turns: scaled(5) }
const CLIENTS = scaled(1_000, 20)
/** Time in which a thousand tokens are asked for without holding up the server's other threads. */
const TOKENS_AT_A_TIME = 8
export const BODY = JSON.stringify({ query: QUERY, operationName: 'Nested' })
const SECRET = 'bench-secret'

/** Peers of the measurement, each with the target ratio. */
const AGAINST = [
  ['stock Apollo Gateway', '>= 7'],
  ['Hive Gateway, Rust planner, its JWT plugin', '>= 4'],
  ["Grafbase's gateway (Rust), without verifying tokens", '>= 1'],
] as const

/** Partners see different records, so that no read of one may be answered with another's. */
export const fillPartners = async (client: Sql) => {
  await client.query(
    `INSERT INTO access.client (id, name, role, secret_hash, currencies, quotas)
     SELECT 'bench-' || n, 'bench-' || n, 'partner', $1, '{OMR}', $2 FROM generate_series(1, ${CLIENTS}) n`,
    [await hashSecret(SECRET), QUOTAS],
  )
}

/** Request headers of each client. */
export const allHeaders = async (address: string) => {
  const headers: Record<string, string>[] = []
  for (let first = 1; first <= CLIENTS; first += TOKENS_AT_A_TIME) {
    const count = Math.min(TOKENS_AT_A_TIME, CLIENTS + 1 - first)
    const some = Array.from({ length: count }, (_, index) =>
      tokenHeaders(address, `bench-${first + index}`, SECRET),
    )
    headers.push(...(await Promise.all(some)))
  }
  return headers
}

export const supergraphFile = async (port: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-bench-'))
  const file = join(folder, 'supergraph.graphql')
  await writeFile(file, supergraphOf(port, STUBS))
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const startAll = async (stack: AsyncDisposableStack, flags: readonly string[]): Promise<Server[]> => {
  const scratch = stack.use(await createScratch())
  await fillPartners(scratch.client)
  const stubs = stack.use(
    await startServer('bench/servers/light-stubs.ts', { env: { STUBS: './nested-subgraphs.ts' } }),
  )
  const { file: SUPERGRAPH } = stack.use(await supergraphFile(Number(new URL(stubs.address).port)))
  const env = { DATABASE_URL: scratch.url, SECRETS_KEY, SUPERGRAPH, MAX_OPERATION_COST: '10000000' }
  const ours = stack.use(await startServer('topology/gateway-only.ts', { env, flags }))
  const peer = { ISSUER: ours.address, SUPERGRAPH }
  const stock = stack.use(await startServer('bench/servers/stock-gateway.ts', { env: peer }))
  const hiveEnv = { ...peer, HIVE_ROUTER_RUNTIME: '1', CONFIG: 'verifying.config.ts', PASS_TOKENS: '1' }
  const hive = stack.use(await startServer('bench/hive/start.ts', { env: hiveEnv }))
  if (!isInstalled()) return [ours, stock, hive]
  return [ours, stock, hive, stack.use(await startGrafbase(STUBS, Number(new URL(stubs.address).port)))]
}

/** Measures all gateways in turns, their answers compared first. */
export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const gateways = await startAll(stack, flags)
  const clients = await allHeaders(gateways[0]!.address)
  const init = { method: 'POST', headers: clients[0]!, body: BODY }
  await assertSameAnswer(gateways.map(({ address }) => [`${address}/graphql`, init]))
  const requests = () =>
    clients.map(headers => ({ method: 'POST' as const, path: '/graphql', headers, body: BODY }))
  const [ours, ...peers] = await measureAll(gateways, { ...PLAN, requests })
  return peers.flatMap((peer, index) => {
    const [against, target] = AGAINST[index]!
    const work = {
      id: 'P20',
      work: 'nested query, 1,000 tokens',
      against,
      targets: [target, target] as const,
    }
    return findingsOf(work, ours!, peer)
  })
}
