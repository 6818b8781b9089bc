/** Composition of a server, and its stop: what every server has, and the parts that make it the one it is. */
import type { FastifyInstance } from 'fastify'
import { registerJwks } from './access/jwks-route.ts'
import { registerTokenEndpoint } from './access/token-endpoint.ts'
import { createOrderedStop, type OrderedStop } from './async/ordered-stop.ts'
import type { Config } from './config/config.ts'
import { registerChargingCallbacks } from './connectors.ts'
import type { App } from './context/app.ts'
import type { Subgraph } from './graph/subgraph.ts'
import { Certificate } from './http/certificate.ts'
import { type HealthCheck, registerHealth } from './http/health.ts'
import { registerMetrics, type ServerMetrics } from './http/metrics.ts'
import { registerRest } from './http/rest.ts'
import { createHttp, endSilentConnections } from './http/server.ts'
import type { Logger } from './observability/log.ts'
import { startRequestLog } from './requests/request-log.ts'
import { type ConnectionLimit, createConnectionLimit } from './streams/connection.ts'

export interface Server {
  readonly http: FastifyInstance
  readonly metrics: ServerMetrics
  /**
   * Finishes what is in flight and closes everything but the database.
   * @throws StopError when something does not end in its time, which has been logged by its name.
   */
  stop(): Promise<void>
}

/** Server that a part is added to. */
export interface ServerContext {
  readonly app: App
  readonly http: FastifyInstance
  /** Resources of requests: stopped once the HTTP server has sent its last response. */
  readonly resources: OrderedStop
  /** Connections that would stay open for ever: stopped before the HTTP server is closed. */
  readonly connections: OrderedStop
  /** The limit of open streams, whichever way they are read. */
  readonly streams: ConnectionLimit
  /** Checks of readiness, beside those of the database and the background work. */
  readonly checks: HealthCheck[]
  /** The metrics at `/metrics`; of the process itself, unless others are named. */
  readonly metrics: ServerMetrics
}

/**
 * Time of a stop beyond that of the longest request: for workers to finish a round, attempts to be aborted, sockets to
 * be closed.
 */
const STOP_EXTENSION_MS = 5_000

/** Makes the stop of a server or its process: within `REQUEST_TIMEOUT_MS` and five seconds. */
export const createServerStop = ({ requestTimeoutMs }: Config, log: Logger): OrderedStop =>
  createOrderedStop({
    withinMs: requestTimeoutMs + STOP_EXTENSION_MS,
    onFault: (part, error) => log.error({ part, err: error }, 'stopping failed'),
  })

/** Registers the paths of the services that have some: of their contract documents, and of their own. */
export async function registerServices(server: ServerContext, services: readonly Subgraph[]): Promise<void> {
  const { http, app } = server
  for (const { document, operations, addPaths, isOfDatabase } of services) {
    const own = isOfDatabase ? app : { ...app, answers: undefined }
    if (document && operations) await registerRest(http, own, document, operations)
    addPaths?.(server)
  }
}

/** Gives the ports at which a server listens, once it does. */
const portsOf =
  (http: FastifyInstance): (() => number[]) =>
  () =>
    http.addresses().flatMap(address => (typeof address === 'string' ? [] : [address.port]))

/** Begins to follow the certificate of `TLS_CERT`; undefined where the server speaks plain HTTP. */
const openCertificate = ({ config, log, metrics }: App): Certificate | undefined => {
  if (!config.tls) return undefined
  const certificate = new Certificate(config.tls, log)
  metrics.certificate(() => certificate.served.expiresAt)
  return certificate
}

/**
 * Puts a server together; it does not listen yet. Where a part fails, what was opened is given back.
 * @param open adds the parts; what it returns belongs to the server.
 */
export async function createServer<Extra>(
  app: App,
  open: (server: ServerContext) => Promise<Extra>,
): Promise<Server & Extra> {
  await using opened = createServerStop(app.config, app.log)
  const certificate = openCertificate(app)
  if (certificate) opened.add({ name: 'certificate', stop: () => certificate.stop() })
  const http = createHttp(app, certificate?.served)
  certificate?.serveAt(http.server)
  endSilentConnections(http)
  app.ownPorts.add(portsOf(http))
  opened.add(
    { name: 'access records', stop: () => app.accessRecords.stop() },
    { name: 'schema use', stop: () => app.schemaUse.stop() },
    { name: 'refused sign-ins', stop: () => app.refusals.stop() },
  )
  opened.add({ name: 'moments of the database', stop: async () => app.moments?.close() })
  const resources = opened.level()
  opened.add({ name: 'statements under way', stop: () => app.database.beginClosing() })
  opened.add({ name: 'HTTP server', stop: () => http.close() })
  const connections = opened.level()
  const requestLog = startRequestLog(app)
  resources.add({ name: 'request log', stop: requestLog.stop })
  let stoppingSince: Date | undefined
  const metrics = registerMetrics(http, app)
  const checks: HealthCheck[] = [requestLog.check]
  if (certificate) checks.push(() => certificate.degradations())
  registerHealth(http, app, () => stoppingSince, checks)
  registerTokenEndpoint(http, app.access)
  registerJwks(http, app.access)
  await registerChargingCallbacks(http, app)
  const { maxStreams } = app.config
  const streams = createConnectionLimit(maxStreams)
  app.metrics.slots.watch('streams', () => ({ inUse: streams.count, limit: maxStreams }))
  const parts = await open({ app, http, resources, connections, streams, checks, metrics })
  const closing = opened.move()
  const stop = () => {
    stoppingSince ??= new Date()
    return closing.stop()
  }
  return { http, metrics, stop, ...parts }
}
