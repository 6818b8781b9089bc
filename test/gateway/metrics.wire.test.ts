/** `/metrics` and `/metrics/targets` of the whole product, in one process and over several. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { createGraph } from '#test/support/graph.ts'
import { namesIn, readMetricsAt, valueIn } from '#test/support/metrics.ts'
import { SEPARATE, type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const OPEN_METRICS = { accept: 'application/openmetrics-text;version=1.0.0' }

/** The names that dashboards and alerts of operators count on. */
const NAMES = [
  'settling_lag_seconds',
  'timeline_lag_seconds',
  'event_lag_seconds',
  'webhook_deliveries',
  'webhook_oldest_seconds',
  'orders_oldest_seconds',
  'subgraph_up',
  'database_up',
]

it('SCRAPE-01 MUST have every fixed name, in both formats', async () => {
  const text = await readMetricsAt(stack.address)
  expect([...namesIn(text)]).toEqual(expect.arrayContaining(NAMES))
  const open = await fetch(`${stack.address}/metrics`, { headers: OPEN_METRICS })
  expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(await open.text()).toMatch(/\n# EOF\n$/)
})

it('SCRAPE-02 MUST say of each subgraph that it is up, and how its calls ended', async () => {
  const graph = createGraph(stack.address)
  const token = await stack.token('demo-portal')
  await graph('{ subscriber(mobileNumber: "+96891000002") { timeline(first: 1) { totalCount } } }', { token })
  const text = await readMetricsAt(stack.address)
  const own = SEPARATE ? ',process="gateway"' : ''
  for (const { name } of SERVICES) expect(valueIn(text, `subgraph_up{subgraph="${name}"${own}}`)).toBe(1)
  expect(valueIn(text, `subgraph_calls_total{subgraph="activity",outcome="ok"${own}}`)).toBeGreaterThan(0)
})

it('SCRAPE-03 MUST lead a scraper to every process', async () => {
  const response = await fetch(`${stack.address}/metrics/targets`)
  expect(response.headers.get('content-type')).toContain('application/json')
  const targets = (await response.json()) as { targets: [string]; labels: Record<string, string> }[]
  const processes = SEPARATE ? ['gateway', ...SERVICES.map(({ name }) => name)] : ['all-in-one']
  expect(targets.map(({ labels }) => labels['process']).toSorted()).toEqual(processes.toSorted())
  for (const { targets: hosts, labels } of targets) {
    const address = `${labels['__scheme__']}://${hosts[0]}${labels['__metrics_path__']}?own=${labels['__param_own']}`
    const own = await (await fetch(address)).text()
    expect(valueIn(own, 'database_up')).toBe(1)
    expect(own).not.toContain('process="')
  }
})

it.runIf(SEPARATE)('SCRAPE-04 MUST have the metrics of all processes at the gateway', async () => {
  const text = await readMetricsAt(stack.address)
  for (const process of ['gateway', ...SERVICES.map(({ name }) => name)])
    expect(valueIn(text, `database_up{process="${process}"}`)).toBe(1)
  expect(text.match(/^# TYPE database_up /gm)).toHaveLength(1)
})

it('SCRAPE-05 MUST count tokens by why they were refused', async () => {
  const own = SEPARATE ? ',process="gateway"' : ''
  const refused = async (reason: string) =>
    valueIn(await readMetricsAt(stack.address), `tokens_refused_total{reason="${reason}"${own}}`) ?? 0
  const before = [await refused('missing'), await refused('malformed')]
  await fetch(`${stack.address}/graphql?query={me{id}}`)
  await fetch(`${stack.address}/graphql?query={me{id}}`, { headers: { authorization: 'Bearer x' } })
  expect([await refused('missing'), await refused('malformed')]).toEqual(before.map(count => count + 1))
})

it('SCRAPE-06 MUST be for the operator alone', async () => {
  for (const path of ['/metrics', '/metrics/targets']) {
    const { status } = await fetch(stack.address + path, { headers: { 'x-forwarded-for': '8.8.8.8' } })
    expect(status).toBe(401)
  }
})
