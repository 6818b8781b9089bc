/** What those may cost who have not shown a token that is known: connections and requests, by the address they come from. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Pace, Pacer } from '../async/pacer.ts'
import type { TrustProxy } from '../config/trust-proxy.ts'
import { unavailable } from '../errors/catalogue.ts'
import { networkOf } from '../values/network.ts'
import { pathOf } from './probes.ts'

export interface StrangerLimits {
  /** Connections of one address on which no token was shown; one more takes the place of the oldest. */
  readonly connections: number
  /** The same of all addresses. */
  readonly allConnections: number
  /** Requests of one address that ask for a token, or show none that is known already. */
  readonly requests: Pace
}

export const STRANGER_LIMITS: StrangerLimits = {
  connections: 2_000,
  allConnections: 20_000,
  requests: { perSecond: 100, atOnce: 200, longestMs: 2_000 },
}

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

const TOKEN_PATH = '/oauth2/accesstoken'

const paces = new WeakMap<Server, Pacer>()

const paceOf = ({ server }: FastifyRequest): Pacer | undefined => paces.get(server.server)

/**
 * Lets a request on that shows no token which is known already: at once, or after its turn among those of its address.
 * Whoever has shown its token before does not come here, whatever else its address sends.
 * @throws ServiceError SERVICE_UNAVAILABLE where the turn would come too late.
 */
export async function admitStranger(request: FastifyRequest): Promise<void> {
  const isWithin = await paceOf(request)?.wait(networkOf(request.ip))
  if (isWithin === false)
    throw unavailable('Too many requests without a known token came from this address; try again shortly')
}

/** Takes back what was counted for a request whose token turned out to be good. */
export const welcome = (request: FastifyRequest): void => paceOf(request)?.uncount(networkOf(request.ip))

/** Bounds both on this server, before it listens. */
export function registerStrangers(
  server: FastifyInstance,
  trustProxy: TrustProxy,
  limits: StrangerLimits = STRANGER_LIMITS,
): void {
  boundConnections(server, trustProxy, limits)
  paces.set(server.server, new Pacer(limits.requests))
  server.addHook('onRequest', (request, _, done) => {
    if (pathOf(request.url) === TOKEN_PATH) admitStranger(request).then(() => done(), done)
    else done()
  })
}
