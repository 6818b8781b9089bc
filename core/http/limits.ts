/**
 * Limits of a server: the connections and requests of anonymous clients by their address, and the requests of all
 * clients together. A request that cannot be served in time is refused at once instead of queued without bound.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { FairGate, Shares } from '../async/fair-slots.ts'
import { type Pace, Pacer } from '../async/limits.ts'
import type { TrustProxy } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { ClientMetrics, ThrottleLimit } from '../observability/client-metrics.ts'
import type { SlotGauges } from '../observability/process-metrics.ts'
import { networkOf } from '../values/network.ts'
import { followConnections } from './connections.ts'
import type { HttpReply, HttpRequest } from './exchange.ts'
import { isProbe, targetPath, timeSpent } from './observe.ts'
import { holdUntilClosed } from './responses.ts'

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

/** Records that a request came with a valid token: its connection is anonymous no longer. */
export const acknowledge = ({ raw }: HttpRequest): void => leaving.get(raw.socket)?.()

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

/** Metrics of the limits of a server. */
export interface LimitMetrics {
  readonly clients: Pick<ClientMetrics, 'throttled'>
  readonly slots: SlotGauges
}

const paces = new WeakMap<Server, Pacer>()

const paceOf = ({ server }: HttpRequest): Pacer | undefined => paces.get(server.server)

const counters = new WeakMap<Server, LimitMetrics['clients']>()

/** Counts a refusal by a limit of the process. */
export const countThrottled = ({ server }: HttpRequest, limit: ThrottleLimit): void =>
  counters.get(server.server)?.throttled(limit)

/**
 * Admits a request without a known token: at once, or after its turn among those of its address. Requests with a known
 * token are not counted here, whatever else comes from their address.
 * @throws ServiceError SERVICE_UNAVAILABLE where the turn would come too late.
 */
export async function admitAnonymous(request: HttpRequest): Promise<void> {
  const isWithin = await paceOf(request)?.wait(networkOf(request.ip))
  if (isWithin !== false) return
  countThrottled(request, 'address_request_rate')
  throw unavailable('Too many requests without a known token came from this address; try again shortly')
}

/** Takes back the count of a request with an unknown token that turned out to be valid. */
export const uncountAnonymous = (request: HttpRequest): void =>
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

/**
 * Enough to keep the processor, the database's connections and its batches busy, and few enough that an admitted
 * request is served while its client still takes the response for prompt.
 */
const WORKING = { slots: 64, longestMs: 250 }
/** Wait beyond which clients prefer a new attempt to more waiting, in milliseconds. */
const LONGEST_WAIT_MS = 2_000
/** A client with more refusals than these waits for them, as long as `Retry-After` asks it to. */
const REFUSALS = { perSecond: 100, atOnce: 100, longestMs: 2_000 }

/** Requests that one server admitted. */
class Admission {
  /** Requests that are served, or wait for it. */
  readonly inFlight: Shares
  /** The part of them that is being worked on. */
  readonly working = new FairGate(WORKING)
  readonly refusals = new Pacer(REFUSALS)

  constructor(maxInFlight: number) {
    this.inFlight = new Shares(maxInFlight)
  }
}

const admissions = new WeakMap<Server, Admission>()

const admissionOf = ({ server }: HttpRequest): Admission | undefined => admissions.get(server.server)

/** The owner of a share: the client where it is known, otherwise the network of the address. */
const ownerOf = ({ principal, ip }: HttpRequest): string =>
  principal ? `client ${principal.clientId}` : `address ${networkOf(ip)}`

const checkShare = ({ inFlight }: Admission, owner: string, request: HttpRequest) => {
  if (inFlight.has(owner)) return
  countThrottled(request, 'process_requests')
  throw unavailable('Too many requests are being served; try again shortly')
}

/**
 * Counts a request during work that its client cannot prolong, before its body has arrived.
 * @param owner of the share that it is counted in.
 * @returns a function that ends the count.
 * @throws ServiceError SERVICE_UNAVAILABLE.
 */
export function countBriefly(request: HttpRequest, owner = ownerOf(request)): () => void {
  const admission = admissionOf(request)
  if (!admission) return () => undefined
  checkShare(admission, owner, request)
  return admission.inFlight.take(owner)
}

/** Refuses before the body is read a request that would be refused after. @throws ServiceError SERVICE_UNAVAILABLE. */
export function checkAdmission(request: HttpRequest): void {
  const admission = admissionOf(request)
  if (admission) checkShare(admission, ownerOf(request), request)
}

/** Delays refusals to a client that gets very many, which slows down one that returns at once. */
export const paceRefusal = async (request: HttpRequest): Promise<void> =>
  void (await admissionOf(request)?.refusals.wait(ownerOf(request)))

/**
 * Admits a request to the work that answers it. @returns its turn, where it has to wait for one.
 * @throws ServiceError SERVICE_UNAVAILABLE, as the turn does.
 */
export type AdmitToWork = (request: HttpRequest, reply: HttpReply) => Promise<void> | undefined

/**
 * Admits requests after their body has arrived, so that a slow sender occupies no slot: at most `MAX_IN_FLIGHT`, of
 * which a few are worked on at a time, each client's in turn. More are refused with 503.
 */
export function registerLoadShedding(
  server: FastifyInstance,
  { maxInFlight, requestTimeoutMs }: Pick<Config, 'maxInFlight' | 'requestTimeoutMs'>,
  metrics?: LimitMetrics,
): AdmitToWork {
  const admission = new Admission(maxInFlight)
  admissions.set(server.server, admission)
  if (metrics) counters.set(server.server, metrics.clients)
  metrics?.slots.watch('requests', () => ({ inUse: admission.inFlight.taken, limit: maxInFlight }))
  metrics?.slots.watch('turns', () => ({ inUse: admission.working.taken, limit: WORKING.slots }))
  const admit: AdmitToWork = (request, reply) => {
    const owner = ownerOf(request)
    checkShare(admission, owner, request)
    holdUntilClosed(request, reply, admission.inFlight.take(owner))
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(0, requestTimeoutMs - timeSpent(request)))
    const { turn, leave } = admission.working.enter(owner, waitMs)
    holdUntilClosed(request, reply, leave)
    return turn?.catch(error => {
      countThrottled(request, 'process_turns')
      throw error
    })
  }
  server.addHook('preValidation', (request, reply, done) => {
    const turn = isProbe(request.url) ? undefined : admit(request, reply)
    if (turn) turn.then(() => done(), done)
    else done()
  })
  return admit
}
