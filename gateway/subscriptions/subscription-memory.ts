/** The limit on the memory of running subscriptions' operations, which last longer than all else that a client sends. */
import type { DocumentNode } from 'graphql'
import { ByteBudget, type ByteLimits } from '#core/async/limits.ts'
import { unavailable } from '#core/errors/catalogue.ts'
import { sizeOfDocument } from '#core/graph/operation-limits.ts'
import { sizeOfResult } from '#core/values/json.ts'
import type { Variables } from '../operation/rewrites.ts'

const MIB = 1024 * 1024

/**
 * Limits in bytes: ten thousand subscriptions of a portal share their document, and have some hundred bytes of
 * variables each.
 */
const SUBSCRIPTION_LIMITS: ByteLimits = { perOwner: 64 * MIB, inAll: 512 * MIB }

interface Shared {
  count: number
  readonly release: () => void
}

export class SubscriptionMemory {
  readonly #budget: ByteBudget
  readonly #documents = new Map<string, Map<DocumentNode, Shared>>()

  constructor(limits: ByteLimits = SUBSCRIPTION_LIMITS) {
    this.#budget = new ByteBudget(limits)
  }

  /**
   * Counts a subscription until the returned function is called; a document that its client has running counts once.
   * @throws ServiceError SERVICE_UNAVAILABLE when it does not fit beside those that run.
   */
  enter(clientId: string, document: DocumentNode, variables: Variables): () => void {
    const releaseVariables = this.#take(clientId, sizeOfResult(variables))
    try {
      const leaveDocument = this.#share(clientId, document)
      return () => {
        releaseVariables()
        leaveDocument()
      }
    } catch (error) {
      releaseVariables()
      throw error
    }
  }

  #take(clientId: string, bytes: number): () => void {
    const release = this.#budget.take(clientId, bytes)
    if (!release) throw unavailable('The operations of the running subscriptions are as large as may be')
    return release
  }

  #share(clientId: string, document: DocumentNode): () => void {
    const documents = this.#documents.get(clientId) ?? new Map<DocumentNode, Shared>()
    const size = () => sizeOfDocument(document, document.loc?.source.body ?? '')
    const shared = documents.get(document) ?? { count: 0, release: this.#take(clientId, size()) }
    shared.count += 1
    this.#documents.set(clientId, documents.set(document, shared))
    return () => {
      shared.count -= 1
      if (shared.count > 0) return
      shared.release()
      documents.delete(document)
      if (documents.size === 0) this.#documents.delete(clientId)
    }
  }
}
