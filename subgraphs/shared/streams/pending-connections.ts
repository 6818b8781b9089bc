/** Connections whose client has not said yet who it is: counted apart, so that they take no place from those who have. */
import type { Release } from '../access/client-usage.ts'

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
  const counts = new Map<string, number>()
  let all = 0
  const add = (network: string, change: number) => {
    all += change
    const count = (counts.get(network) ?? 0) + change
    if (count > 0) counts.set(network, count)
    else counts.delete(network)
  }
  return {
    enter(network) {
      if (all >= total || (counts.get(network) ?? 0) >= perNetwork) return undefined
      add(network, 1)
      let counted = true
      return () => {
        if (counted) add(network, -1)
        counted = false
      }
    },
  }
}
