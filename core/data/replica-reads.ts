/** The reads that may be done by a replica: those of requests that change nothing, of clients that are known. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { currentFacts, type RequestFacts } from '../observability/request-facts.ts'

const shared = new AsyncLocalStorage<true>()

/**
 * Whether a request only reads. Who its client is, is read from the primary, and so is all that a request that posts decides by:
 * correlators, limits, the directory.
 */
export const isReading = (facts: RequestFacts | undefined): boolean => {
  if (facts?.principal === undefined) return false
  const { way, method, operationType } = facts
  if (way === 'REST' || way === 'EXPORT') return method === 'GET' || method === 'HEAD'
  return (way === 'GRAPH' || way === 'FETCH') && operationType === 'query'
}

/** Runs reads that several requests share, all of which only read. */
export const asReading = <T>(work: () => T): T => shared.run(true, work)

/** Whether what is read now may be read from a replica. */
export const mayReadReplica = (): boolean => shared.getStore() ?? isReading(currentFacts())
