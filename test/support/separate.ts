/**
 * The product as processes of their own: a gateway and the services, each an HTTP server, joined by the database
 * alone. On PostgreSQL each has an app of its own; the embedded database is open once, so there all share its app.
 *
 * The only way from tests of one process into topology/, taken when a test asks for it: without that folder they run.
 */

import { existsSync } from 'node:fs'
import { readConfig } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import type { App } from '#core/context/app.ts'
import type { Deliverer } from '#core/webhooks/deliverer.ts'
import type { AllInOneOptions, RunningServer } from '#gateway/all-in-one.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { createSubgraphServer, type SubgraphServer, serveService } from '#subgraphs/subgraph-server.ts'
import type { createGatewayServer, GatewayServerOptions } from '#topology/gateway-server.ts'
import type { TestApp } from './stack.ts'

/** Whether the floor for several processes is there; tests that compare it with one process go without it otherwise. */
export const HAS_TOPOLOGY = existsSync(projectPath('topology'))

/** The gateway alone, not listening yet. */
export const createGateway: typeof createGatewayServer = async (app, options) =>
  (await import('#topology/gateway-server.ts')).createGatewayServer(app, options)

export interface SeparateOptions {
  readonly parts?: (app: App) => Promise<AllInOneOptions>
  readonly gateway?: GatewayServerOptions
}

interface Running {
  readonly app: App
  readonly subgraph: SubgraphServer
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
}

/** The service that the parts have of this name, or that of `names.ts`. */
const create = (app: App, name: string, parts: AllInOneOptions = {}): Promise<SubgraphServer> => {
  const own = parts.services?.find(service => service.name === name)
  return own ? serveService(app, own, parts.delivery) : createSubgraphServer(app, name, parts.delivery)
}

const start = async (opened: TestApp, name: string, { parts }: SeparateOptions): Promise<Running> => {
  const app = await opened.another()
  const subgraph = await create(app, name, await parts?.(app))
  const url = await subgraph.http.listen({ port: 0, host: '127.0.0.1' })
  return { app, subgraph, url }
}

/** One after the other: on the embedded database each start frees what a deliverer before it might be sending. */
const startAll = async (opened: TestApp, options: SeparateOptions): Promise<Running[]> => {
  const running: Running[] = []
  for (const { name } of SERVICES) running.push(await start(opened, name, options))
  return running
}

const joined = (deliverers: readonly Deliverer[]): Deliverer => ({
  wake: origin => deliverers.forEach(one => void one.wake(origin)),
  idle: async () => void (await Promise.all(deliverers.map(one => one.idle()))),
  stop: async () => void (await Promise.all(deliverers.map(one => one.stop()))),
})

/** The app of a gateway that finds the services where they listen. */
const withUrls = (app: App, running: readonly Running[]): App => {
  const urls = running.map(({ subgraph, url }) => `${subgraph.service.name}=${url}`).join(',')
  const { subgraphUrls } = readConfig({ SUBGRAPH_URLS: urls })
  return { ...app, config: { ...app.config, subgraphUrls } }
}

/** Starts the services and puts a gateway before them, which does not listen yet. */
export async function createSeparate(opened: TestApp, options: SeparateOptions = {}) {
  const running = await startAll(opened, options)
  const gateway = await createGateway(withUrls(opened.app, running), options.gateway)
  const subgraphs = running.map(({ subgraph }) => subgraph)
  const server: RunningServer = {
    http: gateway.http,
    metrics: gateway.metrics,
    services: subgraphs.map(({ service }) => service),
    deliverer: joined(subgraphs.map(({ deliverer }) => deliverer)),
    async stop() {
      await gateway.stop()
      await Promise.all(subgraphs.map(subgraph => subgraph.stop()))
    },
  }
  return { server, apps: running.map(({ app }) => app) }
}
