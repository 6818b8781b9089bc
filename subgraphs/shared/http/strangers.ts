/** What those may cost who have not shown a token: connections and failed requests, by the address they come from. */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { TokenBucket } from '../access/token-bucket.ts'
import type { TrustProxy } from '../config/trust-proxy.ts'
import { unavailable } from '../errors/catalogue.ts'
import { networkOf } from '../values/network.ts'
import { isProbe, pathOf } from './probes.ts'

export interface StrangerLimits {
  /** Connections of one address on which no token was shown; one more takes the place of the oldest. */
  readonly connections: number
  /** The same of all addresses. */
  readonly allConnections: number
  /** Requests of one address a second that end with 401, or ask for a token; ten times as many at once. */
  readonly failuresPerSecond: number
}

export const STRANGER_LIMITS: StrangerLimits = {
  connections: 2_000,
  allConnections: 20_000,
  failuresPerSecond: 1_000,
}

const BURST_SECONDS = 10
const MAX_ADDRESSES = 10_000
const TOKEN_PATH = '/oauth2/accesstoken'

const leaving = new WeakMap<Socket, () => void>()

/** Says that a request came with a valid token, so that its connection is no stranger's any more. */
export const acknowledge = ({ raw }: FastifyRequest): void => leaving.get(raw.socket)?.()

/** Connections in the order in which they came, at most `max`. */
class Places {
  readonly #sockets = new Set<Socket>()

  add(socket: Socket, max: number): void {
    if (this.#sockets.size >= max) this.#sockets.values().next().value?.destroy()
    this.#sockets.add(socket)
  }

  /** Whether it was the last. */
  delete(socket: Socket): boolean {
    this.#sockets.delete(socket)
    return this.#sockets.size === 0
  }
}

/** A proxy brings everybody's connections. */
const isProxy = (trustProxy: TrustProxy, address: string) => trustProxy !== false && trustProxy(address, 0)

const boundConnections = ({ server }: FastifyInstance, trustProxy: TrustProxy, limits: StrangerLimits) => {
  const all = new Places()
  const byAddress = new Map<string, Places>()
  const enter = (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(trustProxy, address)) return
    const network = networkOf(address)
    const places = byAddress.get(network) ?? new Places()
    byAddress.set(network, places)
    const leave = () => {
      leaving.delete(socket)
      socket.off('close', leave)
      all.delete(socket)
      if (places.delete(socket) && byAddress.get(network) === places) byAddress.delete(network)
    }
    all.add(socket, limits.allConnections)
    places.add(socket, limits.connections)
    leaving.set(socket, leave)
    socket.once('close', leave)
  }
  server.on('connection', enter)
  // Whoever takes a connection over counts it from there.
  server.prependListener('upgrade', ({ socket }) => leaving.get(socket)?.())
}

const boundFailures = (server: FastifyInstance, { failuresPerSecond }: StrangerLimits) => {
  const rate = { perSecond: failuresPerSecond, capacity: BURST_SECONDS * failuresPerSecond }
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES })
  const now = () => performance.now()
  server.addHook('onRequest', (request, _, done) => {
    // Nearly always nobody has failed, and no address need be looked at.
    const bucket = buckets.size === 0 ? undefined : buckets.get(networkOf(request.ip))
    if (bucket && bucket.level(rate, now()) < 1 && !isProbe(request.url))
      throw unavailable('Too many requests without a valid token came from this address; try again shortly')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 401 || pathOf(request.url) === TOKEN_PATH) {
      const network = networkOf(request.ip)
      const bucket = buckets.get(network) ?? new TokenBucket(rate, now())
      bucket.take(1, rate, now())
      buckets.set(network, bucket)
    }
    done()
  })
}

/** Bounds both on this server, before it listens. */
export function registerStrangers(
  server: FastifyInstance,
  trustProxy: TrustProxy,
  limits: StrangerLimits = STRANGER_LIMITS,
): void {
  boundConnections(server, trustProxy, limits)
  boundFailures(server, limits)
}
