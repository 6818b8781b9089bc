/** Opens the supergraph that is served, with whatever takes its place; what is wrong with it stops the start in one line. */

import type { ServerContext } from '#core/create-server.ts'
import { SetupError } from '#core/errors/setup-error.ts'
import type { TrustedDocuments } from '../operation/trusted-documents/documents.ts'
import type { TransportResolver } from '../transport/transport.ts'
import { requireFit, warnOfUnfit } from './check-documents.ts'
import { createSupergraphManager, type SupergraphManager } from './manager.ts'
import { type SupergraphSource, watchSupergraph } from './source.ts'

export interface SupergraphParts {
  readonly supergraph: SupergraphSource
  /** How the subgraphs are reached. */
  readonly resolve: TransportResolver
}

/** Told in one line: what a library says of a document may go on for pages. */
const asFault = (what: string) => (error: Error) => {
  const [why] = (error.message || error.name).split('\n')
  throw new SetupError(`${what}: ${why}`, { cause: error })
}

/**
 * Loads the supergraph, and watches its source until the server stops.
 * @throws SetupError when it cannot be read or served, or when the documents do not fit it.
 */
export async function openSupergraph(
  { app, resources }: ServerContext,
  { supergraph, resolve }: SupergraphParts,
  documents: TrustedDocuments,
): Promise<SupergraphManager> {
  const name = app.config.supergraph ?? 'schema/supergraph.graphql'
  const first = await supergraph.read().catch(asFault(`SUPERGRAPH ${name} cannot be read`))
  const known = [...documents].map(({ text }) => text)
  const manager = await createSupergraphManager(app, resolve, first, known).catch(
    asFault(`SUPERGRAPH ${name} cannot be served`),
  )
  resources.add({ name: 'supergraph', stop: manager.stop })
  requireFit(documents, manager.current().apiSchema, app.config)
  const replace = async (sdl: string) => {
    await manager.replace(sdl)
    warnOfUnfit(documents, manager.current().apiSchema, app)
  }
  const unwatch = watchSupergraph(supergraph, first, { replace, log: app.log, watchdog: app.watchdog })
  resources.add({ name: 'supergraph source', stop: unwatch })
  return manager
}
