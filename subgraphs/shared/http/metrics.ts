/** `/metrics` for Prometheus: requests by route and status, the process's own figures, and what its parts count. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { App } from '../context/app.ts'
import { guardMetrics } from './metrics-access.ts'

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Measures every request; routes are named by their pattern, so that ids do not multiply the series. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Pick<App, 'config' | 'metrics'>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
  const all = Registry.merge([registry, metrics.registry])
  const onRequest = guardMetrics(config)
  server.get('/metrics', { onRequest }, async (_, reply) =>
    reply.type(all.contentType).send(await all.metrics()),
  )
}
