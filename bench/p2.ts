/**
 * P2: a customer-360 query over three in-memory subgraphs, all in one process, against the stock Apollo Gateway over
 * HTTP. P2b: the same against bare Fastify, which answers the same bytes after the token check.
 */
import { findingsOf, measureAll } from './lib/measured.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import type { Finding } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { startServer } from './lib/server.ts'
import { QUERY } from './servers/stub-subgraphs.ts'

const PLAN = { connections: 50, seconds: scaled(5, 1), turns: scaled(5) }
/** At which neither side is busy all the time: writing then wakes the reader as often on both. */
const EQUAL_RATE = 3_000
const SUBSCRIBERS = 1_000
const WORK = 'customer-360, in-memory subgraphs'

const numberOf = (index: number) => String(96_897_000_000 + index)
const bodyFor = (index: number) => JSON.stringify({ query: QUERY, variables: { n: numberOf(index) } })

const answerOf = async (address: string, headers: Record<string, string>, index: number) =>
  (await fetch(`${address}/graphql`, { method: 'POST', headers, body: bodyFor(index) })).text()

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const start = async (...args: Parameters<typeof startServer>) => stack.use(await startServer(...args))
  const ours = await start('bench/servers/stub-all-in-one.ts', {
    env: { DATA_DIR: 'memory:', DEMO: '1' },
    flags,
  })
  const stubs = await start('bench/servers/stub-services.ts')
  const env = { ISSUER: ours.address, STUB_PORT: new URL(stubs.address).port }
  const stock = await start('bench/servers/stock-gateway.ts', { env })
  const headers = await tokenHeaders(ours.address, 'demo-analyst')
  const answer = { ANSWER: await answerOf(ours.address, headers, 7), NUMBER: numberOf(7) }
  const bare = await start('bench/servers/bare-same-bytes.ts', { env: { ...env, ...answer } })
  const servers = [ours, stock, bare]
  const init = { method: 'POST', headers, body: bodyFor(8) }
  await assertSameAnswer(servers.map(({ address }) => [`${address}/graphql`, init]))
  const requests = () =>
    Array.from({ length: SUBSCRIBERS }, (_, index) => ({
      method: 'POST' as const,
      path: '/graphql',
      headers,
      body: bodyFor(index),
    }))
  const [mine, theirs, least] = await measureAll(servers, { ...PLAN, requests })
  const [mineAtRate, leastAtRate] = await measureAll([ours, bare], { ...PLAN, requests, atRate: EQUAL_RATE })
  const stockAgainst = 'stock Apollo Gateway, subgraphs over HTTP'
  const bareAgainst = 'bare Fastify, the same bytes after the token check'
  return [
    ...findingsOf(
      { id: 'P2', work: WORK, against: stockAgainst, targets: ['>= 15', '>= 15'] },
      mine!,
      theirs!,
    ),
    ...findingsOf(
      { id: 'P2b', work: WORK, against: bareAgainst, targets: ['>= 0.6', '>= 0.6'] },
      mine!,
      least!,
    ),
    ...findingsOf(
      {
        id: 'P2b',
        work: `${WORK}, ${EQUAL_RATE} a second on both`,
        against: bareAgainst,
        targets: [undefined, '>= 0.6'],
      },
      mineAtRate!,
      leastAtRate!,
    ).slice(1),
  ]
}
