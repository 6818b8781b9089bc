/** Connections whose client has not said yet who it is: counted apart, so that they take no place from those who have. */
import type { Release } from '../access/client-usage.ts'
import { createUseCounter, type UseCounter } from '../async/limits.ts'

export interface PendingLimits {
  /** Of one network (`networkOf`). */
  readonly perNetwork: number
  readonly total: number
}

/**
 * They last three seconds at the most, and a moment when the client means it: a thousand clients that come back at once
 * behind one address still get in, after another try.
 */
export const PENDING: PendingLimits = { perNetwork: 500, total: 2_000 }

export interface PendingConnections {
  /** Counts one more until the result is called; undefined where there are too many. */
  enter(network: string): Release | undefined
}

/** Counts up to these limits. */
export function createPendingConnections({ perNetwork, total }: PendingLimits): PendingConnections {
  const all = createUseCounter()
  const ofNetwork = new Map<string, UseCounter>()
  /** A network of which nobody is left is forgotten. */
  const enterNetwork = (network: string): Release => {
    const uses = ofNetwork.get(network) ?? createUseCounter()
    ofNetwork.set(network, uses)
    const leave = uses.enter()
    return () => {
      leave()
      if (uses.count === 0 && ofNetwork.get(network) === uses) ofNetwork.delete(network)
    }
  }
  return {
    enter(network) {
      if (all.count >= total || (ofNetwork.get(network)?.count ?? 0) >= perNetwork) return undefined
      const leaveAll = all.enter()
      const leaveNetwork = enterNetwork(network)
      return () => {
        leaveNetwork()
        leaveAll()
      }
    },
  }
}
