/**
 * Limits of a server on the requests of all clients together. A request that cannot be served in time is refused at once
 * instead of queued without bound.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { BusyRate } from '../async/busy-rate.ts'
import { FairGate, Shares } from '../async/fair-slots.ts'
import { Pacer } from '../async/limits.ts'
import type { Config } from '../config/config.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { ClientMetrics } from '../observability/client-metrics.ts'
import type { SlotGauges } from '../observability/process-metrics.ts'
import { networkOf } from '../values/network.ts'
import { acknowledgeSocket } from './anonymous-limits.ts'
import { isProbe, timeSpent } from './observe.ts'
import { hasLeft } from './responses.ts'
import { countRefusalsOf, countThrottled } from './throttled.ts'

/** Metrics of the limits of a server. */
export interface LimitMetrics {
  readonly clients: Pick<ClientMetrics, 'throttled'>
  readonly slots: SlotGauges
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Functions that release all that it holds: slots, use of the process, memory of its body. */
    held?: (() => void)[]
  }
}

/** Releases all that a request holds, since it goes on as a stream, which has limits of its own. */
export const releaseSlot = ({ held = [] }: FastifyRequest): void => {
  for (const release of held) release()
}

/** Calls `release`, possibly twice, when the response closes or the request is released before. */
export function holdUntilClosed(request: FastifyRequest, { raw }: FastifyReply, release: () => void): void {
  // The client may have left during authentication; then no event would follow.
  if (hasLeft(raw)) release()
  else if (request.held) request.held.push(release)
  else {
    request.held = [release]
    raw.on('close', () => releaseSlot(request))
  }
}

/**
 * Enough to keep the processor, the database's connections and its batches busy, and few enough that an admitted
 * request is served while its client still takes the response for prompt.
 */
const WORKING = { slots: 64, longestMs: 250 }
/** Wait beyond which clients prefer a new attempt to more waiting, in milliseconds. */
const LONGEST_WAIT_MS = 2_000
/** Part of the requests in flight beyond which it matters how long they take: what is below waits for seconds at the most. */
const PRESSED = 0.3
/** Time that a client's next request would take, beyond which it is then refused at once, in milliseconds. */
const LONGEST_EXPECTED_MS = 500
/**
 * Slots of a client that was refused a moment ago: enough to be served at full speed, and few enough that the statements of
 * others do not wait behind its own.
 */
const FLOODING = { slots: 16, forMs: 1_000 }
const MAX_FLOODING = 10_000
/** A client with more refusals than these waits for them, as long as `Retry-After` asks it to. */
const REFUSALS = { perSecond: 100, atOnce: 100, longestMs: 2_000 }

/** Requests that one server admitted. */
class Admission {
  /** Requests that are served, or wait for it. */
  readonly inFlight: Shares
  /** The part of them that is being worked on. */
  readonly working = new FairGate({
    ...WORKING,
    mostOf: owner => (this.#refusedLately.has(owner) ? FLOODING.slots : WORKING.slots),
  })
  readonly refusals = new Pacer(REFUSALS)
  readonly #rate = new BusyRate()
  readonly #refusedLately = new LRUCache<string, true>({ max: MAX_FLOODING, ttl: FLOODING.forMs })

  readonly #pressedFrom: number

  constructor(maxInFlight: number) {
    this.inFlight = new Shares(maxInFlight)
    this.#pressedFrom = Math.max(WORKING.slots, PRESSED * maxInFlight)
  }

  /** Whether one more request of this owner can be served soon. */
  has(owner: string): boolean {
    return this.inFlight.has(owner) && this.#expectedMs(owner) <= LONGEST_EXPECTED_MS
  }

  /** Takes note that this owner asks for more than it can have. */
  noteRefused(owner: string): void {
    this.#refusedLately.set(owner, true)
  }

  /** Counts a request until it is served. */
  take(owner: string): () => void {
    const giveBack = this.inFlight.take(owner)
    let isServed = false
    return () => {
      if (isServed) return
      isServed = true
      this.#rate.count(this.#isPressed)
      giveBack()
    }
  }

  get #isPressed(): boolean {
    return this.inFlight.taken > this.#pressedFrom
  }

  /** Time that one more request of this owner takes, since owners are served in turn; 0 where few are in flight. */
  #expectedMs(owner: string): number {
    const { perSecond } = this.#rate
    const { inFlight } = this
    if (perSecond === undefined || !this.#isPressed) return 0
    return (inFlight.heldBy(owner) * inFlight.owners * 1_000) / perSecond
  }
}

const admissions = new WeakMap<Server, Admission>()

const admissionOf = ({ server }: FastifyRequest): Admission | undefined => admissions.get(server.server)

/** The owner of a share: the client where it is known, otherwise the network of the address. */
const ownerOf = ({ principal, ip }: FastifyRequest): string =>
  principal ? `client ${principal.clientId}` : `address ${networkOf(ip)}`

const checkShare = (admission: Admission, owner: string, request: FastifyRequest) => {
  if (admission.has(owner)) return
  admission.noteRefused(owner)
  countThrottled(request, 'process_requests')
  throw unavailable('Too many requests are being served; try again shortly')
}

/**
 * Counts a request during work that its client cannot prolong, before its body has arrived.
 * @param owner of the share that it is counted in.
 * @returns a function that ends the count.
 * @throws ServiceError SERVICE_UNAVAILABLE.
 */
export function countBriefly(request: FastifyRequest, owner = ownerOf(request)): () => void {
  const admission = admissionOf(request)
  if (!admission) return () => undefined
  checkShare(admission, owner, request)
  return admission.inFlight.take(owner)
}

/** Refuses before the body is read a request that would be refused after. @throws ServiceError SERVICE_UNAVAILABLE. */
export function checkAdmission(request: FastifyRequest): void {
  const admission = admissionOf(request)
  if (admission) checkShare(admission, ownerOf(request), request)
}

/** Makes what refuses the client of a request early. @param isFull whether its own quota is used up. */
export const earlyRefusals = (request: FastifyRequest, isFull: () => boolean) => {
  const admission = admissionOf(request)
  const owner = ownerOf(request)
  return {
    isFull: () => admission !== undefined && (!admission.has(owner) || isFull()),
    count({ socket }: IncomingMessage): void {
      acknowledgeSocket(socket)
      countThrottled(request, 'process_requests')
      admission?.noteRefused(owner)
    },
  }
}

/** Delays refusals to a client that gets very many, which slows down one that returns at once. */
export const paceRefusal = async (request: FastifyRequest): Promise<void> =>
  void (await admissionOf(request)?.refusals.wait(ownerOf(request)))

/**
 * Admits requests after their body has arrived, so that a slow sender occupies no slot: at most `MAX_IN_FLIGHT`, of
 * which a few are worked on at a time, each client's in turn. More are refused with 503.
 */
export function registerLoadShedding(
  server: FastifyInstance,
  { maxInFlight, requestTimeoutMs }: Pick<Config, 'maxInFlight' | 'requestTimeoutMs'>,
  metrics?: LimitMetrics,
): void {
  const admission = new Admission(maxInFlight)
  admissions.set(server.server, admission)
  if (metrics) countRefusalsOf(server.server, metrics.clients)
  metrics?.slots.watch('requests', () => ({ inUse: admission.inFlight.taken, limit: maxInFlight }))
  metrics?.slots.watch('turns', () => ({ inUse: admission.working.taken, limit: WORKING.slots }))
  const admit = (request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
    const owner = ownerOf(request)
    checkShare(admission, owner, request)
    holdUntilClosed(request, reply, admission.take(owner))
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(0, requestTimeoutMs - timeSpent(request)))
    const { turn, leave } = admission.working.enter(owner, waitMs)
    holdUntilClosed(request, reply, leave)
    return turn
  }
  server.addHook('preValidation', (request, reply, done) => {
    const turn = isProbe(request.url) ? undefined : admit(request, reply)
    if (!turn) return done()
    turn.then(
      () => done(),
      error => {
        countThrottled(request, 'process_turns')
        done(error)
      },
    )
  })
}
