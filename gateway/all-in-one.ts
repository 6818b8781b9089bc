/** Everything in one process: the services' REST paths, the graph over them, and the token endpoint. */

import { startBackgroundWork } from '#core/background-work.ts'
import type { App } from '#core/context/app.ts'
import { createServer, registerServices, type Server } from '#core/create-server.ts'
import { createExecutor } from '#core/graph/executor.ts'
import type { Subgraph } from '#core/graph/subgraph.ts'
import { subgraphFigure } from '#core/observability/graph-metrics.ts'
import type { Deliverer, DelivererOptions } from '#core/webhooks/deliverer.ts'
import { registerGraph } from './graph.ts'
import { loadServices } from './load-services.ts'
import { createAnswerOrRepeat } from './operation/stored-answers.ts'
import { registerPages } from './pages/register.ts'
import { fixedSupergraph, type SupergraphSource, supergraphSource } from './supergraph/source.ts'
import {
  createLocalEventSource,
  createLocalSource,
  type SubgraphTransport,
  type TransportResolver,
} from './transport/transport.ts'
import { dedupeEntities } from './transport/wrapped-source.ts'

export interface RunningServer extends Server {
  readonly services: readonly Subgraph[]
  readonly deliverer: Deliverer
}

export interface AllInOneOptions {
  /** The services; those of `names.ts` unless others are given. */
  readonly services?: readonly Subgraph[]
  /** The only supergraph to serve; those of `SUPERGRAPH` unless given. */
  readonly supergraphSdl?: string
  /** Changes to the settings of the deliverer of webhooks. */
  readonly delivery?: Partial<DelivererOptions>
}

const createLocalTransport = (service: Subgraph, app: App): SubgraphTransport => {
  const executor = createExecutor(service, app)
  return {
    source: dedupeEntities(createLocalSource(service, executor)),
    events: createLocalEventSource(service, executor),
  }
}

/** A subgraph of this process answers for as long as the process does. */
const showSubgraphs = ({ metrics }: App, services: readonly Subgraph[]): void =>
  metrics.graph.subgraphs.watch('own', async () => services.map(({ name }) => subgraphFigure(name, true)))

const createLocalResolver = (app: App, services: readonly Subgraph[]): TransportResolver => {
  showSubgraphs(app, services)
  const transport = new Map(services.map(service => [service.name, createLocalTransport(service, app)]))
  return name => transport.get(name)
}

const sourceOf = ({ config }: App, { supergraphSdl }: AllInOneOptions): SupergraphSource =>
  supergraphSdl === undefined ? supergraphSource(config) : fixedSupergraph(supergraphSdl)

/** Puts everything together and starts the background work; does not listen yet. */
export const createAllInOne = (app: App, options: AllInOneOptions = {}): Promise<RunningServer> =>
  createServer(app, async server => {
    const services = options.services ?? (await loadServices(app))
    const deliverer = await startBackgroundWork(server, services, options.delivery)
    await registerServices(server, services)
    const supergraph = await registerGraph(server, {
      supergraph: sourceOf(app, options),
      resolve: createLocalResolver(app, services),
      answerOrRepeat: createAnswerOrRepeat(
        services.every(({ isOfDatabase }) => isOfDatabase) ? app.answers : undefined,
      ),
    })
    registerPages(server, () => supergraph.current().apiSchema())
    return { services, deliverer }
  })
