/** One service alone, on a database of its own, listening on a free port; disposes of itself. */

import type { App } from '#core/context/app.ts'
import { createSubgraphServer, type SubgraphServer } from '#subgraphs/subgraph-server.ts'
import { openTestApp, type TestAppOptions } from './stack.ts'

export interface LoneSubgraph extends AsyncDisposable {
  readonly app: App
  readonly server: SubgraphServer
  /** `http://127.0.0.1:<port>`. */
  readonly address: string
}

/** Serves one service of an app that others may use too; disposing of it leaves the app open. */
export async function serveSubgraph(app: App, name: string, port = 0): Promise<LoneSubgraph> {
  const server = await createSubgraphServer(app, name)
  const address = await server.http.listen({ port, host: '127.0.0.1' })
  return { app, server, address, [Symbol.asyncDispose]: () => server.stop() }
}

/** All that is needed for tests of services alone: an app with tokens, and a server for each name. */
export interface LoneSubgraphs extends AsyncDisposable {
  readonly app: App
  token(client?: string): Promise<string>
  of(name: string): LoneSubgraph
}

/** Opens one database and serves these services from it, each on a port of its own. */
export async function startSubgraphs(
  names: readonly string[],
  options: TestAppOptions = {},
): Promise<LoneSubgraphs> {
  const opened = await openTestApp(options)
  const servers = new Map<string, LoneSubgraph>()
  for (const name of names) servers.set(name, await serveSubgraph(opened.app, name))
  return {
    app: opened.app,
    token: opened.token,
    of: name => servers.get(name)!,
    async [Symbol.asyncDispose]() {
      for (const server of servers.values()) await server[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}
