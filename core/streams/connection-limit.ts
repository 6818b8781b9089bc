/** Limits on open connections: all streams together (`MAX_STREAMS`), and those whose client is not known yet. */
import type { Release } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { createUseCounter, type UseCounter } from '../async/limits.ts'
import type { App } from '../context/app.ts'
import { unavailable } from '../errors/catalogue.ts'

export interface ConnectionLimit {
  /** How many connections are open. */
  readonly count: number
  full(): boolean
  /** Counts one more; the result takes it back. */
  enter(): Release
}

/** Counts WebSocket connections and event streams together, up to `max`. */
export function createConnectionLimit(max: number): ConnectionLimit {
  const open = createUseCounter()
  return {
    get count() {
      return open.count
    },
    full: () => open.count >= max,
    enter: open.enter,
  }
}

/**
 * Counts a stream for the process and for its client, until the result is called.
 * @throws ServiceError SERVICE_UNAVAILABLE when the process or the client has too many.
 */
export function enterStream(
  { usage, metrics }: Pick<App, 'usage' | 'metrics'>,
  streams: ConnectionLimit,
  principal: Principal,
): Release {
  if (streams.full()) {
    metrics.clients.throttled('process_streams')
    throw unavailable('Too many streams are open; try again shortly')
  }
  const leaveClient = usage.enterStream(principal)
  const leaveAll = streams.enter()
  return () => {
    leaveClient()
    leaveAll()
  }
}

export interface PendingLimits {
  /** The most pending connections of one network (`networkOf`). */
  readonly perNetwork: number
  readonly total: number
}

/**
 * A connection is pending for three seconds at the most, and for a moment when its client is in earnest. So a thousand
 * clients that return at once behind one address still get in, after another try.
 */
export const PENDING: PendingLimits = { perNetwork: 500, total: 2_000 }

export interface PendingConnections {
  /** Counts one more until the result is called; undefined where there are too many. */
  enter(network: string): Release | undefined
}

/** Counts connections whose client has not sent its token yet: apart, so that they take no slot from known clients. */
export function createPendingConnections({ perNetwork, total }: PendingLimits): PendingConnections {
  const all = createUseCounter()
  const ofNetwork = new Map<string, UseCounter>()
  /** A network without connections is forgotten. */
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
