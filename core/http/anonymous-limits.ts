/** Limits of clients that show no known token: connections and requests by their address. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Pace, Pacer } from '../async/limits.ts'
import type { TrustProxy } from '../config/addresses.ts'
import { unavailable } from '../errors/catalogue.ts'
import { networkOf } from '../values/network.ts'
import { followConnections } from './connections.ts'
import { targetPath } from './observe.ts'
import { countThrottled } from './throttled.ts'

interface AnonymousLimits {
  /** Connections of one address that showed no token; one more takes the place of the oldest. */
  readonly connections: number
  /** The same of all addresses. */
  readonly allConnections: number
  /** Requests of one address that ask for a token, or show none that is known already. */
  readonly requests: Pace
}

export const ANONYMOUS_LIMITS: AnonymousLimits = {
  connections: 2_000,
  allConnections: 20_000,
  requests: { perSecond: 100, atOnce: 200, longestMs: 2_000 },
}

/** Ends the counting of a connection as an anonymous one. */
const leaving = new WeakMap<Socket, () => void>()

/** Ends the counting of a connection over which a valid token was shown: it is anonymous no longer. */
export const acknowledgeSocket = (socket: Socket): void => leaving.get(socket)?.()

/** Records that a request came with a valid token. */
export const acknowledge = ({ raw }: FastifyRequest): void => acknowledgeSocket(raw.socket)

/** Adds a connection to those in order of arrival; the oldest is cut where there are `max` already. */
const addBounded = (sockets: Set<Socket>, socket: Socket, max: number): void => {
  if (sockets.size >= max) sockets.values().next().value?.destroy()
  sockets.add(socket)
}

/** Connections of a trusted proxy are not counted: it brings those of all clients. */
const boundConnections = (
  { server }: FastifyInstance,
  trustProxy: TrustProxy,
  limits: AnonymousLimits,
): void => {
  const all = new Set<Socket>()
  const byAddress = new Map<string, Set<Socket>>()
  const count = (socket: Socket): void => {
    const address = socket.remoteAddress ?? ''
    if (trustProxy !== false && trustProxy(address, 0)) return
    const network = networkOf(address)
    const ofNetwork = byAddress.get(network) ?? new Set()
    byAddress.set(network, ofNetwork)
    const leave = () => {
      leaving.delete(socket)
      socket.off('close', leave)
      all.delete(socket)
      ofNetwork.delete(socket)
      if (ofNetwork.size === 0 && byAddress.get(network) === ofNetwork) byAddress.delete(network)
    }
    addBounded(all, socket, limits.allConnections)
    addBounded(ofNetwork, socket, limits.connections)
    leaving.set(socket, leave)
    socket.once('close', leave)
  }
  followConnections(server, {
    opened: count,
    secured(secure, below) {
      const leave = leaving.get(below)
      if (leave) leaving.set(secure, leave)
    },
  })
  // WebSocket connections have limits of their own.
  server.prependListener('upgrade', ({ socket }) => leaving.get(socket)?.())
}

const TOKEN_PATH = '/oauth2/accesstoken'

const paces = new WeakMap<Server, Pacer>()

const paceOf = ({ server }: FastifyRequest): Pacer | undefined => paces.get(server.server)

/**
 * Admits a request without a known token: at once, or after its turn among those of its address. Requests with a known
 * token are not counted here, whatever else comes from their address.
 * @throws ServiceError SERVICE_UNAVAILABLE where the turn would come too late.
 */
export async function admitAnonymous(request: FastifyRequest): Promise<void> {
  const isWithin = await paceOf(request)?.wait(networkOf(request.ip))
  if (isWithin !== false) return
  countThrottled(request, 'address_request_rate')
  throw unavailable('Too many requests without a known token came from this address; try again shortly')
}

/** Takes back the count of a request with an unknown token that turned out to be valid. */
export const uncountAnonymous = (request: FastifyRequest): void =>
  paceOf(request)?.uncount(networkOf(request.ip))

/** Limits the connections and requests of anonymous clients on a server; call it before the server listens. */
export function registerAnonymousLimits(
  server: FastifyInstance,
  trustProxy: TrustProxy,
  limits: AnonymousLimits = ANONYMOUS_LIMITS,
): void {
  boundConnections(server, trustProxy, limits)
  paces.set(server.server, new Pacer(limits.requests))
  server.addHook('onRequest', (request, _, done) => {
    if (targetPath(request.url) === TOKEN_PATH) admitAnonymous(request).then(() => done(), done)
    else done()
  })
}
