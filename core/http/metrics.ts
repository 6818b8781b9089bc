/**
 * `/metrics` for Prometheus, in text or OpenMetrics, and `/metrics/targets`, where a scraper finds every process of the
 * installation (Prometheus HTTP service discovery).
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest, onResponseHookHandler } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Platform } from '../context/app.ts'
import { ServiceError } from '../errors/catalogue.ts'
import {
  contentTypeOfMetrics,
  type Family,
  familiesOf,
  formatAccepted,
  mergeFamilies,
  withLabel,
  writeMetrics,
} from '../observability/exposition.ts'
import { DurationSeries, familyOf } from '../observability/series.ts'
import { unmapped } from '../values/network.ts'
import type { HttpReply, HttpRequest } from './exchange.ts'

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

/** Upper bounds in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

const DURATION = {
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the end of its response',
  type: 'histogram',
} as const

/** Records the duration of a response. */
type RecordResponse = (request: Pick<HttpRequest, 'method'>, reply: HttpReply) => void

/** Durations of the responses of one server. */
class RouteDurations {
  readonly #series: DurationSeries[] = []
  readonly #ofRoutes = new Map<string, RecordResponse>()

  /** Finds the function that measures the responses of a route. */
  of(route: string): RecordResponse {
    const record = this.#ofRoutes.get(route) ?? this.#create(route)
    this.#ofRoutes.set(route, record)
    return record
  }

  /** Makes the function; a series is looked up by method and status. */
  #create(route: string): RecordResponse {
    const known = new Map<string, Map<number, DurationSeries>>()
    const create = (method: string, status: number) => {
      const series = new DurationSeries({ method, route, status: String(status) }, BUCKETS)
      this.#series.push(series)
      known.set(method, (known.get(method) ?? new Map()).set(status, series))
      return series
    }
    return ({ method }, { statusCode, elapsedTime }) => {
      const series = known.get(method)?.get(statusCode) ?? create(method, statusCode)
      series.observe(elapsedTime / 1_000)
    }
  }

  family(): Family {
    return familyOf(DURATION, this.#series)
  }
}

const measured = new WeakMap<FastifyInstance, RouteDurations>()

/** Finds what records the responses of a route; undefined on a server without metrics. */
export const recorderOf = (server: FastifyInstance, route: string): RecordResponse | undefined =>
  measured.get(server)?.of(route)

/** Measures every request; a route is named by its pattern, so that ids do not multiply the series. */
const measureRoutes = (server: FastifyInstance): RouteDurations => {
  const durations = new RouteDurations()
  measured.set(server, durations)
  server.addHook('onRoute', route => {
    const record = durations.of(route.url)
    const hook: onResponseHookHandler = (request, reply, done) => {
      record(request, reply)
      done()
    }
    route.onResponse = [hook, route.onResponse ?? []].flat()
  })
  const recordUnknown = durations.of('unknown')
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) recordUnknown(request, reply)
    done()
  })
  return durations
}

/** A process whose metrics can be scraped. */
export interface MetricsTarget {
  /** `gateway`, or the name of a service. */
  readonly process: string
  /** `127.0.0.1:4001`. */
  readonly host: string
  readonly scheme: string
  readonly path: string
}

/** Processes behind this one, which shows their metrics beside its own. */
export interface ProcessesBehind {
  /** Lists those that can be scraped where the gateway reaches them; processes behind a balancer cannot. */
  targets(): Promise<readonly MetricsTarget[]>
  /** Reads their metrics, each with its label `process`, within a limit; those that do not answer are left out. */
  read(): Promise<readonly Family[]>
}

/** The metrics of one server. */
export interface ServerMetrics {
  /** Reads the metrics of this process alone. */
  readOwn(): Promise<readonly Family[]>
  /** Has `read` stand for the metrics of this process: those of all that share its address, its own among them. */
  joinPeers(read: () => Promise<readonly Family[]>): void
  /** Names the process, and the processes behind it. */
  describe(process: string, behind?: ProcessesBehind): void
}

/** The query parameter for the metrics of the process itself, without those behind it. */
export const OWN_ONLY = 'own'

/** An entry of Prometheus HTTP service discovery. */
const toEntry = ({ process, host, scheme, path }: MetricsTarget) => ({
  targets: [host],
  labels: { process, __scheme__: scheme, __metrics_path__: path, [`__param_${OWN_ONLY}`]: '1' },
})

const isOwnOnly = ({ query }: FastifyRequest): boolean =>
  typeof query === 'object' && query !== null && OWN_ONLY in query

/** Adds `/metrics` and `/metrics/targets`, and measures the routes that are registered after it. */
export function registerMetrics(
  server: FastifyInstance,
  { config, metrics }: Pick<Platform, 'config' | 'metrics'>,
): ServerMetrics {
  const ofNode = new Registry()
  collectDefaultMetrics({ register: ofNode })
  const durations = measureRoutes(server)
  let process = 'all-in-one'
  let behind: ProcessesBehind | undefined
  const readOwn = async () => [
    ...(await metrics.families()),
    durations.family(),
    ...(await familiesOf(ofNode)),
  ]
  let readHere: () => Promise<readonly Family[]> = readOwn
  const readAll = async ({ read }: ProcessesBehind) => {
    const [own, others] = await Promise.all([readHere(), read()])
    return mergeFamilies([...withLabel(own, 'process', process), ...others])
  }
  const onRequest = guardMetrics(config)
  server.get('/metrics', { onRequest }, async (request, reply) => {
    const format = formatAccepted(request.headers.accept)
    const families = behind && !isOwnOnly(request) ? await readAll(behind) : await readHere()
    return reply.type(contentTypeOfMetrics(format)).send(writeMetrics(families, format))
  })
  server.get('/metrics/targets', { onRequest }, async ({ host, protocol: scheme }) =>
    [{ process, host, scheme, path: '/metrics' }, ...((await behind?.targets()) ?? [])].map(toEntry),
  )
  return {
    readOwn,
    joinPeers(read) {
      readHere = read
    },
    describe(name, processes) {
      process = name
      behind = processes
    },
  }
}
