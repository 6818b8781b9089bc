/** Everything in one process: the services' REST paths, the graph over them, and the token endpoint. */
import type { FastifyInstance } from 'fastify'
import { registerTokenEndpoint } from '../subgraphs/shared/access/token-endpoint.ts'
import type { App } from '../subgraphs/shared/app.ts'
import {
  type Deliverer,
  type DelivererOptions,
  startDeliverer,
} from '../subgraphs/shared/delivery/deliverer.ts'
import { freeAll } from '../subgraphs/shared/delivery/queue.ts'
import { startRetention } from '../subgraphs/shared/delivery/retention.ts'
import { createExecutor } from '../subgraphs/shared/graph/executor.ts'
import { registerHealth } from '../subgraphs/shared/http/health.ts'
import { registerMetrics } from '../subgraphs/shared/http/metrics.ts'
import { registerRest } from '../subgraphs/shared/http/rest.ts'
import { createHttp } from '../subgraphs/shared/http/server.ts'
import type { Subgraph } from '../subgraphs/shared/subgraph.ts'
import { registerGraph } from './graph.ts'
import { createLocalSource } from './local-source.ts'
import { loadServices } from './services.ts'
import { createLocalEventSource } from './subscriptions/local-source.ts'
import { readSupergraph } from './supergraph.ts'

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
  readonly supergraphSdl?: string
  /** How webhooks are sent, where it is to be otherwise. */
  readonly delivery?: Partial<DelivererOptions>
}

const sourcesOf = (service: Subgraph, app: App) => {
  const executor = createExecutor(service, app.log)
  return {
    source: createLocalSource(service, executor),
    events: createLocalEventSource(service, executor),
  }
}

const registerGraphOf = (
  http: FastifyInstance,
  app: App,
  services: readonly Subgraph[],
  supergraphSdl: string,
) => {
  const sources = new Map(services.map(service => [service.name, sourcesOf(service, app)]))
  return registerGraph(http, {
    app,
    supergraphSdl,
    source: name => sources.get(name)!.source,
    eventSource: name => sources.get(name)!.events,
  })
}

const registerServices = async (http: FastifyInstance, app: App, services: readonly Subgraph[]) => {
  for (const { document, operations } of services) {
    if (document && operations) await registerRest(http, app, document, operations)
  }
}

/** Sends the webhooks of these services, woken by their commits. */
const startDelivery = async (
  app: App,
  services: readonly Subgraph[],
  options?: Partial<DelivererOptions>,
) => {
  const kinds = services.map(({ kind }) => kind).filter(kind => kind?.callsWebhook)
  const idFields = new Map(kinds.map(kind => [kind!.kind, kind!.idField]))
  if (app.database.embedded) await freeAll(app.db)
  const deliverer = startDeliverer(app, { idFields, ...options })
  const unlisten = app.eventsWritten.listen(deliverer.wake)
  const stop = async () => {
    unlisten()
    await deliverer.stop()
  }
  return { deliverer, stop }
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
  const graph = await registerGraphOf(http, app, services, parts.supergraphSdl ?? readSupergraph())
  for (const service of services) await service.start()
  const delivery = await startDelivery(app, services, parts.delivery)
  const stopRetention = startRetention(app)
  const stop = async () => {
    stopping = true
    await graph.stopStreams()
    await http.close()
    await graph.stop()
    await stopRetention()
    await Promise.all(services.map(service => service.stop()))
    await delivery.stop()
  }
  return { http, services, deliverer: delivery.deliverer, stop }
}
