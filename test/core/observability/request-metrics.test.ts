/** Metrics of requests: by operation, client and code, however many names clients invent. */
import { expect, it } from 'vitest'
import { writeMetrics } from '#core/observability/exposition.ts'
import { RequestFacts, type Way } from '#core/observability/request-facts.ts'
import { RequestMetrics } from '#core/observability/request-metrics.ts'
import { BoundedNames } from '#core/observability/series.ts'
import { valueIn } from '#test/support/metrics.ts'

interface Request {
  readonly way?: Way
  readonly operation?: string
  readonly client?: string
  readonly code?: string
  readonly status?: number
  readonly passedTo?: string
}

const ended = ({ way = 'GRAPH', operation, client, code, status = 200, passedTo }: Request): RequestFacts =>
  Object.assign(new RequestFacts({ correlator: 'c-1', method: 'POST', path: '/graphql', way, operation }), {
    ...{ code, status, passedTo, durationMs: 30 },
    principal: client === undefined ? undefined : { clientId: client, role: 'portal' },
  })

const textOf = (metrics: RequestMetrics) => writeMetrics(metrics.families(), 'openmetrics')

it('REQUESTS-01 MUST count a request by way, operation, client and code, and time it with its correlator', () => {
  const metrics = new RequestMetrics()
  metrics.count(ended({ operation: 'Home', client: 'portal' }))
  metrics.count(ended({ operation: 'Home', client: 'portal' }))
  metrics.count(ended({ operation: 'Home', client: 'portal', code: 'SERVICE_UNAVAILABLE', status: 503 }))
  metrics.count(ended({ way: 'PAGE', status: 404 }))
  const text = textOf(metrics)
  const home = 'way="GRAPH",operation="Home"'
  expect(valueIn(text, `requests_total{${home},client="portal",code="OK"}`)).toBe(2)
  expect(valueIn(text, `requests_total{${home},client="portal",code="SERVICE_UNAVAILABLE"}`)).toBe(1)
  expect(valueIn(text, 'requests_total{way="PAGE",operation="unnamed",client="none",code="404"}')).toBe(1)
  expect(valueIn(text, `request_duration_seconds_count{${home}}`)).toBe(3)
  expect(text).toContain(`request_duration_seconds_bucket{${home},le="0.05"} 3 # {correlator="c-1"} 0.03 `)
})

it('REQUESTS-02 MUST count a request once in an installation, and how long a stream lasted never', () => {
  const metrics = new RequestMetrics()
  metrics.count(ended({ way: 'FETCH', client: 'portal' }))
  metrics.count(ended({ way: 'REST', operation: 'createPayment', client: 'a', passedTo: 'postpaid-billing' }))
  expect(textOf(metrics)).not.toContain('requests_total{')
  metrics.count(ended({ way: 'STREAM', operation: 'Follow', client: 'portal' }))
  expect(textOf(metrics)).toContain('requests_total{way="STREAM",operation="Follow"')
  expect(textOf(metrics)).not.toContain('request_duration_seconds_count{')
})

it('REQUESTS-03 MUST have a bounded number of series, and keep those of trusted and much used operations', () => {
  const metrics = new RequestMetrics()
  metrics.keep(['Trusted'])
  for (let round = 0; round < 50; round++) metrics.count(ended({ operation: 'Home', client: 'portal' }))
  for (let index = 0; index < 3_000; index++)
    metrics.count(ended({ operation: `Invented${index}`, client: `client-${index}` }))
  metrics.count(ended({ operation: 'x'.repeat(101), client: 'portal' }))
  metrics.count(ended({ operation: 'Trusted', client: 'portal' }))
  const series = textOf(metrics).match(/^requests_total\{/gm)!
  expect(series.length).toBeLessThan(1_000)
  const text = textOf(metrics)
  for (const operation of ['Home', 'Trusted', 'other'])
    expect(text).toContain(`requests_total{way="GRAPH",operation="${operation}",`)
  expect(text).not.toContain('x'.repeat(101))
  const sum = [...text.matchAll(/^requests_total\{.*\} (\d+)$/gm)].reduce(
    (all, [, one]) => all + Number(one),
    0,
  )
  expect(sum).toBe(3_052)
})

it('REQUESTS-04 MUST count how the graph executed operations', () => {
  const metrics = new RequestMetrics()
  for (const execution of ['FAST', 'FAST', 'PLANNED'] as const)
    metrics.count(Object.assign(ended({ client: 'portal' }), { execution }))
  expect(valueIn(textOf(metrics), 'graph_executions_total{execution="fast"}')).toBe(2)
  expect(valueIn(textOf(metrics), 'graph_executions_total{execution="planned"}')).toBe(1)
})

it('NAMES-01 MUST give a label to a name that is used more than one that has it, and not take turns', () => {
  const dropped: string[] = []
  const names = new BoundedNames({ limit: 2, onDropped: name => dropped.push(name) })
  const use = (name: string, times: number) => Array.from({ length: times }, () => names.use(name)).at(-1)
  expect([use('a', 10), use('b', 3), use('c', 5)]).toEqual(['a', 'b', 'other'])
  names.review()
  expect(dropped).toEqual([])
  expect(use('c', 5)).toBe('other')
  names.review()
  expect(dropped).toEqual(['b'])
  expect([names.use('a'), names.use('b'), names.use('c')]).toEqual(['a', 'other', 'c'])
})
