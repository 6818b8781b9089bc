/** Observation of requests: their time so far, their trace, their log, and `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onResponseHookHandler,
} from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Platform } from '../context/app.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { type Logger, type LogLine, withoutRedaction } from '../observability/log.ts'
import { unmapped } from '../values/network.ts'

/** Whether a request's target is a path of health or metrics: never counted, never logged, answered under any load. */
export const isProbe = (url: string): boolean =>
  url.startsWith('/health/') || url === '/metrics' || url.startsWith('/metrics?')

/** The path of a request's target, without its query. */
export const targetPath = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Arrival of its headers, by the clock of `performance.now()`. */
    cameAt?: number
  }
}

/** Records the arrival of a request. */
export const recordArrival = (request: FastifyRequest): void => {
  request.cameAt = performance.now()
}

/**
 * Time since the headers of a request arrived, in milliseconds. All steps of a request share one limit,
 * `REQUEST_TIMEOUT_MS` (docs/decisions.md, "Failures").
 */
export const timeSpent = ({ cameAt }: FastifyRequest): number =>
  cameAt === undefined ? 0 : performance.now() - cameAt

/** The trace headers of a request (W3C Trace Context §3.2, §3.3), which are passed on with calls on its behalf. */
export function traceOf(headers: Record<string, unknown>): Record<string, string> {
  const trace: Record<string, string> = {}
  for (const name of ['traceparent', 'tracestate']) {
    const value = headers[name]
    if (typeof value === 'string') trace[name] = value
  }
  return trace
}

type ChildArgs = Parameters<FastifyBaseLogger['child']>

/** Logger of one request, made with its first line: most requests log nothing, and making a logger is expensive. */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #args: ChildArgs
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, args: ChildArgs) {
    this.#parent = parent
    this.#args = args
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(...this.#args)
    return this.#made
  }

  get level(): string {
    return this.#log.level
  }

  set level(level: string) {
    this.#log.level = level
  }

  get msgPrefix(): string | undefined {
    return undefined
  }

  fatal(...line: LogLine): void {
    this.#log.fatal(...line)
  }

  error(...line: LogLine): void {
    this.#log.error(...line)
  }

  warn(...line: LogLine): void {
    this.#log.warn(...line)
  }

  info(...line: LogLine): void {
    this.#log.info(...line)
  }

  debug(...line: LogLine): void {
    this.#log.debug(...line)
  }

  trace(...line: LogLine): void {
    this.#log.trace(...line)
  }

  silent(...line: LogLine): void {
    this.#log.silent(...line)
  }

  child(...args: ChildArgs): FastifyBaseLogger {
    return this.#log.child(...args)
  }
}

/** Makes the logger of a request, for Fastify's `childLoggerFactory`. */
export const createRequestLog = (parent: FastifyBaseLogger, ...args: ChildArgs): FastifyBaseLogger =>
  new RequestLog(parent, args)

/** Logs each response with its request and duration. Query strings and bodies are not logged. */
export function registerAccessLog(server: FastifyInstance, log: Logger): void {
  const lines = withoutRedaction(log)
  server.addHook('onResponse', (request, reply, done) => {
    if (!isProbe(request.url)) {
      const ms = Math.round(reply.elapsedTime * 10) / 10
      const { id: correlator, method, url } = request
      lines.info({ correlator, method, path: targetPath(url), status: reply.statusCode, ms }, 'request')
    }
    done()
  })
}

/** Loopback, private and link-local networks (RFC 1122, RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
const OPERATOR_NETWORKS = new BlockList()
OPERATOR_NETWORKS.addSubnet('127.0.0.0', 8, 'ipv4')
OPERATOR_NETWORKS.addSubnet('10.0.0.0', 8, 'ipv4')
OPERATOR_NETWORKS.addSubnet('172.16.0.0', 12, 'ipv4')
OPERATOR_NETWORKS.addSubnet('192.168.0.0', 16, 'ipv4')
OPERATOR_NETWORKS.addSubnet('169.254.0.0', 16, 'ipv4')
OPERATOR_NETWORKS.addSubnet('::1', 128, 'ipv6')
OPERATOR_NETWORKS.addSubnet('fc00::', 7, 'ipv6')
OPERATOR_NETWORKS.addSubnet('fe80::', 10, 'ipv6')

/** An untrusted proxy inside the network may forward for anyone, so its own address proves nothing. */
const isOfOperator = ({ headers, ip }: FastifyRequest, trustProxy: Config['trustProxy']): boolean => {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
  if (isForwarded && trustProxy === false) return false
  const address = unmapped(ip)
  return OPERATOR_NETWORKS.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Makes the hook that admits requests from the operator's own network, or with the token of `METRICS_TOKEN`.
 * @throws ServiceError UNAUTHORIZED.
 */
export const guardMetrics =
  ({ metricsToken, trustProxy }: Pick<Config, 'metricsToken' | 'trustProxy'>) =>
  async (request: FastifyRequest): Promise<void> => {
    if (isOfOperator(request, trustProxy)) return
    const sent = digest(request.headers.authorization ?? '')
    if (metricsToken !== undefined && timingSafeEqual(sent, digest(`Bearer ${metricsToken}`))) return
    throw new ServiceError(
      'UNAUTHORIZED',
      'Metrics are for the operator: Authorization: Bearer <METRICS_TOKEN>',
      { headers: { 'www-authenticate': 'Bearer realm="metrics"' } },
    )
  }

const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

type Durations = Histogram<'method' | 'route' | 'status'>

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

/** Measures every request; a route is named by its pattern, so that ids do not multiply the series. */
const measureRoutes = (server: FastifyInstance, durations: Durations): void => {
  server.addHook('onRoute', route => {
    const record = measure(durations, route.url)
    const hook: onResponseHookHandler = (request, reply, done) => {
      record(request, reply)
      done()
    }
    route.onResponse = [hook, route.onResponse ?? []].flat()
  })
  const recordUnknown = measure(durations, 'unknown')
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) recordUnknown(request, reply)
    done()
  })
}

/** Adds `/metrics` for Prometheus, and measures the routes that are registered after it. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Pick<Platform, 'config' | 'metrics'>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRoutes(
    server,
    new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    }),
  )
  const all = Registry.merge([registry, metrics.registry])
  const onRequest = guardMetrics(config)
  server.get('/metrics', { onRequest }, async (_, reply) =>
    reply.type(all.contentType).send(await all.metrics()),
  )
}
