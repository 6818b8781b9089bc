/** Manager of supergraph versions: the serving one, and its replacement while requests and subscriptions go on. */

import type { DocumentNode } from 'graphql'
import type { App } from '#core/context/app.ts'
import type { TransportResolver } from '../transport/transport.ts'
import { createSupergraphVersion, type SupergraphVersion } from './version.ts'

/** Running subscription. */
export interface Running {
  readonly document: DocumentNode
  readonly operationName?: string
  /** Called when another version begins to serve, so that the subscription changes over although no event comes. */
  onChange(): void
}

export interface SupergraphManager {
  /** Version for requests that begin now. */
  current(): SupergraphVersion
  /** Registers a running subscription until the returned function is called. */
  running(subscription: Running): () => void
  /**
   * Serves another supergraph from now on. Requests in flight end under the old one; running subscriptions change over
   * between two events, at once where they wait for one.
   * @throws Error when it does not load, or lacks what a running subscription selects: the old one keeps serving then.
   */
  replace(supergraphSdl: string): Promise<void>
  stop(): Promise<void>
}

/** Operations that are planned before a supergraph serves; the others when they are sent. */
const MOST_USED = 200

const checkAll = (version: SupergraphVersion, running: Iterable<Running>) => {
  const documents = new Set<DocumentNode>()
  for (const { document, operationName } of running) {
    if (!documents.has(document)) version.check(document, operationName)
    documents.add(document)
  }
}

/**
 * Makes the manager, which begins with this supergraph.
 * @param known operations that are planned and compiled under each supergraph before it serves, beside those that were
 * sent most.
 */
export async function createSupergraphManager(
  app: App,
  resolve: TransportResolver,
  supergraphSdl: string,
  known: readonly string[] = [],
): Promise<SupergraphManager> {
  const running = new Set<Running>()
  const retiring = new Set<Promise<void>>()
  let current = await createSupergraphVersion(app, resolve, supergraphSdl)
  await current.prepare(known)
  let turn: Promise<unknown> = Promise.resolve()

  const retire = (version: SupergraphVersion) => {
    const retired = version
      .retire()
      .catch(error => app.log.warn({ err: error }, 'old supergraph could not be stopped'))
      .finally(() => retiring.delete(retired))
    retiring.add(retired)
  }
  const change = async (sdl: string) => {
    const next = await createSupergraphVersion(app, resolve, sdl)
    await next.prepare([...known, ...(current.operations?.mostUsed(MOST_USED) ?? [])])
    try {
      checkAll(next, running)
    } catch (error) {
      retire(next)
      throw new Error(`a running subscription would lose something: ${(error as Error).message}`, {
        cause: error,
      })
    }
    retire(current)
    current = next
    for (const { onChange } of running) onChange()
  }
  return {
    current: () => current,
    running(subscription) {
      running.add(subscription)
      return () => running.delete(subscription)
    },
    replace(sdl) {
      const changed = turn.then(() => change(sdl))
      turn = changed.catch(() => undefined)
      return changed
    },
    async stop() {
      await turn
      retire(current)
      await Promise.all(retiring)
    },
  }
}
