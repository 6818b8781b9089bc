/** P14: a page of 200 transactions with all fields, the subgraph in the gateway's process, against stock Apollo Gateway. */
import { median } from './lib/compare.ts'
import { load } from './lib/load.ts'
import { assertSameAnswer, tokenHeaders } from './lib/pair.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { type Server, startServer } from './lib/server.ts'
import { PAGE_QUERY } from './servers/stub-page.ts'

const CONNECTIONS = 20
const SECONDS = scaled(5, 1)
const TURNS = scaled(5)
const BODY = JSON.stringify({ query: PAGE_QUERY, variables: { first: 200 } })

/** Requests per second, and per second of the gateway's CPU. */
interface Measured {
  readonly rate: number
  readonly perCpuSecond: number
}

const measure = async (gateway: Server, headers: Record<string, string>): Promise<Measured> => {
  const requests = [{ method: 'POST', path: '/graphql', headers, body: BODY }]
  const before = await gateway.cpuSeconds()
  const job = { url: gateway.address, requests, connections: CONNECTIONS, seconds: SECONDS }
  const { perSecond: rate } = await load(job)
  const cpu = (await gateway.cpuSeconds()) - before
  return { rate, perCpuSecond: (rate * SECONDS) / cpu }
}

const measureBoth = async (gateways: readonly Server[], headers: Record<string, string>) => {
  const measured = gateways.map((): Measured[] => [])
  for (let turn = -1; turn < TURNS; turn += 1) {
    for (const [index, gateway] of gateways.entries()) {
      const one = await measure(gateway, headers)
      if (turn >= 0) measured[index]!.push(one)
    }
  }
  return measured as [Measured[], Measured[]]
}

const finding = (key: keyof Measured, [ours, theirs]: [Measured[], Measured[]]) => {
  const ratios = ours.map((turn, index) => turn[key] / theirs[index]![key])
  const spread = `${Math.min(...ratios).toFixed(1)}-${Math.max(...ratios).toFixed(1)}`
  const [mine, other] = [ours, theirs].map(turns => median(turns.map(turn => turn[key]))) as [number, number]
  return { spread, ours: perSecond(mine), theirs: perSecond(other), ratio: median(ratios) }
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using ours = await startServer('bench/servers/stub-all-in-one.ts', {
    env: { DATA_DIR: 'memory:', DEMO: '1', STUBS: 'page' },
    flags,
  })
  await using stock = await startServer('bench/servers/stock-in-process.ts', {
    env: { ISSUER: ours.address },
  })
  const headers = await tokenHeaders(ours.address, 'demo-analyst')
  const gateways = [ours, stock]
  const init = { method: 'POST', headers, body: BODY }
  await assertSameAnswer(gateways.map(({ address }) => [`${address}/graphql`, init]))
  const measured = await measureBoth(gateways, headers)
  const { spread, ...perCpu } = finding('perCpuSecond', measured)
  const { spread: rates, ...byRate } = finding('rate', measured)
  const work = 'a page of 200 transactions with all fields, in-memory subgraph'
  const against = 'stock Apollo Gateway, the subgraph in its process'
  return [
    { id: 'P14', work: `${work}, per CPU second (turns: ${spread})`, against, ...perCpu, target: '>= 4' },
    { id: 'P14', work: `${work} (turns: ${rates})`, against, ...byRate },
  ]
}
