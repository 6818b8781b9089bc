/** Everything in one process: the services' REST paths, the graph over them, and the token endpoint. */

import type { FastifyInstance } from 'fastify'
import { registerTokenEndpoint } from '../subgraphs/shared/access/token-endpoint.ts'
import { portsOf, startBackgroundWork } from '../subgraphs/shared/background-work.ts'
import type { App } from '../subgraphs/shared/context/app.ts'
import { createExecutor } from '../subgraphs/shared/graph/executor.ts'
import type { Subgraph } from '../subgraphs/shared/graph/subgraph.ts'
import { createHttp } from '../subgraphs/shared/http/create-http.ts'
import { registerHealth } from '../subgraphs/shared/http/health.ts'
import { registerMetrics } from '../subgraphs/shared/http/metrics.ts'
import { registerRest } from '../subgraphs/shared/http/rest.ts'
import type { Deliverer, DelivererOptions } from '../subgraphs/shared/webhooks/deliverer.ts'
import { registerGraph } from './graph.ts'
import { loadServices } from './load-services.ts'
import { fixedSupergraph, type SupergraphSource, supergraphSource } from './supergraph/source.ts'
import { dedupeEntities } from './transport/dedupe-entities.ts'
import { createLocalSource } from './transport/local/data-source.ts'
import { createLocalEventSource } from './transport/local/events.ts'
import type { SubgraphTransport } from './transport/transport.ts'

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

const createLocalTransport = (service: Subgraph, app: App): SubgraphTransport => {
  const executor = createExecutor(service, app.log)
  return {
    source: dedupeEntities(createLocalSource(service, executor)),
    events: createLocalEventSource(service, executor),
  }
}

const registerGraphOf = (
  http: FastifyInstance,
  app: App,
  services: readonly Subgraph[],
  supergraph: SupergraphSource,
) => {
  const transport = new Map(services.map(service => [service.name, createLocalTransport(service, app)]))
  return registerGraph(http, { app, supergraph, resolve: name => transport.get(name) })
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
  const jobs = await startBackgroundWork(app, services, { ports: portsOf(http), ...parts.delivery })
  const stop = async () => {
    stopping = true
    await graph.stopStreams()
    await http.close()
    await graph.stop()
    await jobs.stop()
  }
  return { http, services, deliverer: jobs.deliverer, stop }
}
