/** P2: a customer-360 query over three in-memory subgraphs, all in one process, against the stock Apollo Gateway over HTTP. */
import { compare } from './lib/compare.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { startServer } from './lib/server.ts'
import { QUERY } from './servers/stub-subgraphs.ts'

const PLAN = { connections: 50, seconds: 5, turns: 3 }
const SUBSCRIBERS = 1_000

const bodyFor = (index: number) =>
  JSON.stringify({ query: QUERY, variables: { n: String(96_897_000_000 + index) } })

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using ours = await startServer('bench/servers/stub-all-in-one.ts', {
    env: { DATA_DIR: 'memory:', DEMO: '1' },
    flags,
  })
  await using stubs = await startServer('bench/servers/stub-services.ts')
  const env = { ISSUER: ours.address, STUB_PORT: new URL(stubs.address).port }
  await using stock = await startServer('bench/servers/stock-gateway.ts', { env })
  const headers = await tokenHeaders(ours.address, 'demo-analyst')
  const addresses = [ours.address, stock.address]
  const init = { method: 'POST', headers, body: bodyFor(7) }
  await assertSameAnswer(addresses.map(address => [`${address}/graphql`, init]))
  const requests = Array.from({ length: SUBSCRIBERS }, (_, index) => {
    return { method: 'POST', path: '/graphql', headers, body: bodyFor(index) }
  })
  const [mine, theirs] = await compare(
    addresses.map(url => ({ url, requests })),
    PLAN,
  )
  const rates = { ours: perSecond(mine!), theirs: perSecond(theirs!) }
  const against = 'stock Apollo Gateway, subgraphs over HTTP'
  return [
    {
      id: 'P2',
      work: 'customer-360, in-memory subgraphs',
      against,
      ...rates,
      ratio: mine! / theirs!,
      target: '>= 12',
    },
  ]
}
