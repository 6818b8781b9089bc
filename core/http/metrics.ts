/**
 * `/metrics` for Prometheus: requests by route and status, the process's own figures, and what its parts count. It is for
 * whoever is in the operator's own network, or has the token of `METRICS_TOKEN`.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { App } from '../context/app.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { unmapped } from '../values/network.ts'

/** Loopback, private and link-local (RFC 1122, RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
const OWN: [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]

const own = new BlockList()
for (const range of OWN) own.addSubnet(...range)

const isOwn = (address: string): boolean => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** A proxy whose word does not count may speak for anybody. */
const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const hasToken = ({ headers }: FastifyRequest, token: string | undefined): boolean =>
  token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))

/**
 * Makes the hook that guards the metrics.
 * @throws ServiceError UNAUTHORIZED.
 */
export const guardMetrics =
  ({ metricsToken, trustProxy }: Pick<Config, 'metricsToken' | 'trustProxy'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const isKnownPlace = trustProxy !== false || !isForwarded(request)
    if (isKnownPlace && isOwn(unmapped(request.ip))) return
    if (hasToken(request, metricsToken)) return
    throw new ServiceError(
      'UNAUTHORIZED',
      'Metrics are for the operator: Authorization: Bearer <METRICS_TOKEN>',
      {
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      },
    )
  }

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type Durations = Histogram<'method' | 'route' | 'status'>

const createDurations = (registry: Registry): Durations =>
  new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })

/** Measures the responses of one route; a series is looked up once for each method and status. */
const measure = (durations: Durations, route: string) => {
  const known = new Map<string, Map<number, ReturnType<Durations['labels']>>>()
  const create = (method: string, status: number) => {
    const series = durations.labels(method, route, String(status))
    const ofMethod = known.get(method) ?? new Map()
    known.set(method, ofMethod.set(status, series))
    return series
  }
  return ({ method }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void => {
    const series = known.get(method)?.get(statusCode) ?? create(method, statusCode)
    series.observe(elapsedTime / 1_000)
  }
}

/** Measures every request; routes are named by their pattern, so that ids do not multiply the series. */
const measureRoutes = (server: FastifyInstance, durations: Durations): void => {
  server.addHook('onRoute', route => {
    const note = measure(durations, route.url)
    const hook: onResponseHookHandler = (request, reply, done) => {
      note(request, reply)
      done()
    }
    route.onResponse = [hook, route.onResponse ?? []].flat()
  })
  const noteUnknown = measure(durations, 'unknown')
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) noteUnknown(request, reply)
    done()
  })
}

/** Adds `/metrics` and measures the routes that are registered after it. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Pick<App, 'config' | 'metrics'>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRoutes(server, createDurations(registry))
  const all = Registry.merge([registry, metrics.registry])
  const onRequest = guardMetrics(config)
  server.get('/metrics', { onRequest }, async (_, reply) =>
    reply.type(all.contentType).send(await all.metrics()),
  )
}
