/** Everything in one process: the services' REST paths, the graph over them, and the token endpoint. */
import type { FastifyInstance } from 'fastify'
import { registerTokenEndpoint } from '../subgraphs/shared/access/token-endpoint.ts'
import type { App } from '../subgraphs/shared/app.ts'
import type { Deliverer, DelivererOptions } from '../subgraphs/shared/delivery/deliverer.ts'
import { createExecutor } from '../subgraphs/shared/graph/executor.ts'
import { registerHealth } from '../subgraphs/shared/http/health.ts'
import { registerMetrics } from '../subgraphs/shared/http/metrics.ts'
import { registerRest } from '../subgraphs/shared/http/rest.ts'
import { createHttp } from '../subgraphs/shared/http/server.ts'
import { portsOf, startJobs } from '../subgraphs/shared/jobs.ts'
import type { Subgraph } from '../subgraphs/shared/subgraph.ts'
import type { Reached } from './generation.ts'
import { registerGraph } from './graph.ts'
import { createLocalSource } from './local-source.ts'
import { loadServices } from './services.ts'
import { createLocalEventSource } from './subscriptions/local-source.ts'
import { fixedSupergraph, type SupergraphSource, supergraphSource } from './supergraph-source.ts'
import { withDistinctEntities } from './upstream/distinct.ts'

export interface RunningServer {
  readonly http: FastifyInstance
  readonly services: readonly Subgraph[]
  readonly deliverer: Deliverer
  /** Finishes what is in flight and closes everything but the database. */
  stop(): Promise<void>
}

export interface Parts {
  /** The services; those of `names.ts` unless others are given. */
  readonly services?: readonly Subgraph[]
  /** The supergraph to serve, for good; that of `SUPERGRAPH` unless given, with whatever takes its place. */
  readonly supergraphSdl?: string
  /** How webhooks are sent, where it is to be otherwise. */
  readonly delivery?: Partial<DelivererOptions>
}

const reachLocally = (service: Subgraph, app: App): Reached => {
  const executor = createExecutor(service, app.log)
  return {
    source: withDistinctEntities(createLocalSource(service, executor)),
    events: createLocalEventSource(service, executor),
  }
}

const registerGraphOf = (
  http: FastifyInstance,
  app: App,
  services: readonly Subgraph[],
  supergraph: SupergraphSource,
) => {
  const reached = new Map(services.map(service => [service.name, reachLocally(service, app)]))
  return registerGraph(http, { app, supergraph, reach: name => reached.get(name) })
}

const sourceOf = ({ config }: App, { supergraphSdl }: Parts): SupergraphSource =>
  supergraphSdl === undefined ? supergraphSource(config) : fixedSupergraph(supergraphSdl)

const registerServices = async (http: FastifyInstance, app: App, services: readonly Subgraph[]) => {
  for (const { document, operations } of services) {
    if (document && operations) await registerRest(http, app, document, operations)
  }
}

/** Puts everything together and starts the background work; does not listen yet. */
export async function createAllInOne(app: App, parts: Parts = {}): Promise<RunningServer> {
  const services = parts.services ?? (await loadServices(app))
  const http = createHttp(app)
  let stopping = false
  registerMetrics(http, app)
  registerHealth(http, app, () => stopping)
  registerTokenEndpoint(http, app.access)
  await registerServices(http, app, services)
  const graph = await registerGraphOf(http, app, services, sourceOf(app, parts))
  const jobs = await startJobs(app, services, { ports: portsOf(http), ...parts.delivery })
  const stop = async () => {
    stopping = true
    await graph.stopStreams()
    await http.close()
    await graph.stop()
    await jobs.stop()
  }
  return { http, services, deliverer: jobs.deliverer, stop }
}
