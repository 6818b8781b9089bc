/** Requests in `/metrics`: each counted once, by method, pattern of its route and status. */
import { expect, it } from 'vitest'
import { readCorsOrigins } from '#core/config/addresses.ts'
import type { App } from '#core/context/app.ts'
import { registerMetrics } from '#core/http/metrics.ts'
import { createHttp } from '#core/http/server.ts'
import { createLog } from '#core/observability/log.ts'
import { createRequests } from '#core/observability/request-facts.ts'
import { unwatched } from '#test/support/metrics.ts'

const config = {
  corsOrigins: readCorsOrigins([]),
  maxInFlight: 10,
  requestTimeoutMs: 1_000,
  trustProxy: false,
}

const start = () => {
  const app = {
    config,
    log: createLog('silent'),
    requests: createRequests(() => undefined),
    metrics: unwatched(),
  } as App
  const server = createHttp(app)
  registerMetrics(server, app)
  server.get('/things/:id', async ({ params }) => params)
  server.post('/things', async (_, reply) => reply.code(201).send({}))
  return server
}

it('HTTP-METRICS-01 MUST count each request once, unknown paths together, and how long they took', async () => {
  await using server = start()
  const ask = (method: 'GET' | 'HEAD' | 'POST', url: string, payload?: string) =>
    server.inject({ method, url, payload, headers: { host: 'x', 'content-type': 'application/json' } })
  for (const id of ['1', '2', '3']) await ask('GET', `/things/${id}?x=${id}`)
  await ask('HEAD', '/things/1')
  await ask('POST', '/things', '{}')
  await ask('POST', '/things', '{')
  await ask('GET', '/nowhere')
  await ask('POST', '/elsewhere', '{}')
  const { body } = await ask('GET', '/metrics')
  const lines = body.split('\n').filter(line => line.startsWith('http_request_duration_seconds_'))
  expect(lines.filter(line => line.includes('_count')).toSorted()).toEqual([
    'http_request_duration_seconds_count{method="GET",route="/things/:id",status="200"} 3',
    'http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
    'http_request_duration_seconds_count{method="HEAD",route="/things/:id",status="200"} 1',
    'http_request_duration_seconds_count{method="POST",route="/things",status="201"} 1',
    'http_request_duration_seconds_count{method="POST",route="/things",status="400"} 1',
    'http_request_duration_seconds_count{method="POST",route="unknown",status="404"} 1',
  ])
  const sums = lines.filter(line => line.includes('_sum')).map(line => Number(line.split(' ').at(-1)))
  expect(sums.filter(sum => !(sum > 0 && sum < 60))).toEqual([])
})
