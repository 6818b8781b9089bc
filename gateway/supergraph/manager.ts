/** Which version of the supergraph serves, and how the next takes its place without anyone noticing. */

import type { DocumentNode } from 'graphql'
import type { App } from '#core/context/app.ts'
import type { TransportResolver } from '../transport/transport.ts'
import { createSupergraphVersion, type SupergraphVersion } from './version.ts'

/** A subscription that goes on. */
export interface Running {
  readonly document: DocumentNode
  readonly operationName?: string
  /** Called when another version serves, so that it changes over although no event comes. */
  onChange(): void
}

export interface SupergraphManager {
  /** The version for whatever begins now. */
  current(): SupergraphVersion
  /** Says that a subscription runs, until the returned function is called. */
  running(subscription: Running): () => void
  /**
   * Serves another supergraph from now on. What is under way ends under the old one; running subscriptions change over
   * between two events, at once where they wait for one.
   * @throws Error when it does not load, or lacks what a running subscription selects: the old one keeps serving then.
   */
  replace(supergraphSdl: string): Promise<void>
  stop(): Promise<void>
}

/** So many operations are planned before a supergraph serves; the others when they are sent. */
const MOST_USED = 200

const checkAll = (version: SupergraphVersion, running: Iterable<Running>) => {
  const documents = new Set<DocumentNode>()
  for (const { document, operationName } of running) {
    if (!documents.has(document)) version.check(document, operationName)
    documents.add(document)
  }
}

/**
 * Begins with this supergraph.
 * @param known operations that are planned and compiled under each supergraph before it serves, with those that were
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
