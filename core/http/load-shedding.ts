/**
 * Load shedding: what cannot be served in time is refused at once, instead of queued without bound, and what can is
 * admitted fairly by client. What a request holds meanwhile (its places, its client's use of the process, the memory of its
 * body) it gives back when its response closes.
 */
import type { Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FairGate } from '../async/fair-gate.ts'
import { Pacer } from '../async/pacer.ts'
import { Shares } from '../async/shares.ts'
import type { Config } from '../config/config.ts'
import { unavailable } from '../errors/catalogue.ts'
import { networkOf } from '../values/network.ts'
import { isProbe } from './probes.ts'
import { timeSpent } from './time-spent.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What gives back all that it holds. */
    held?: (() => void)[]
  }
}

/** Releases all that a request holds: it stays open as a stream, which costs next to nothing, and is counted as one. */
export const releaseSlot = ({ held = [] }: FastifyRequest): void => {
  for (const release of held) release()
}

/** Calls `release`, which may be called twice, when the response closes or the request is let go before. */
export function holdUntilClosed(request: FastifyRequest, { raw }: FastifyReply, release: () => void): void {
  // A client may have gone while it was found out who it is; then nothing would tell any more.
  if (raw.destroyed || raw.closed) release()
  else if (request.held) request.held.push(release)
  else {
    request.held = [release]
    raw.once('close', () => releaseSlot(request))
  }
}

/**
 * Enough to keep the processor, the database's connections and its batches busy, and few enough that a request which
 * finds a place is served while its client still takes the answer for prompt.
 */
const WORKING = { places: 64, longestMs: 250 }
/** A wait beyond which clients rather try again than wait on. */
const LONGEST_WAIT_MS = 2_000
/** A client that is refused more often than that waits for its refusals: as long as `Retry-After` asks it to. */
const REFUSALS = { perSecond: 100, atOnce: 100, longestMs: 2_000 }

/** What is admitted to one server. */
class Admission {
  /** Requests that are served or wait to be. */
  readonly inFlight: Shares
  /** Those of them that are worked on. */
  readonly working = new FairGate(WORKING)
  readonly refusals = new Pacer(REFUSALS)

  constructor(maxInFlight: number) {
    this.inFlight = new Shares(maxInFlight)
  }
}

const ofServer = new WeakMap<Server, Admission>()

const admissionOf = ({ server }: FastifyRequest): Admission | undefined => ofServer.get(server.server)

/** Who is admitted: the client where it is known, else the address. */
const holderOf = ({ principal, ip }: FastifyRequest): string =>
  principal ? `client ${principal.clientId}` : `address ${networkOf(ip)}`

const checkShare = ({ inFlight }: Admission, holder: string) => {
  if (!inFlight.has(holder)) throw unavailable('Too many requests are being served; try again shortly')
}

/**
 * Counts a request while something is done for it that its client cannot draw out, before its body is there.
 * @param holder in whose share.
 * @returns a function that ends it.
 * @throws ServiceError SERVICE_UNAVAILABLE.
 */
export function countBriefly(request: FastifyRequest, holder = holderOf(request)): () => void {
  const admission = admissionOf(request)
  if (!admission) return () => undefined
  checkShare(admission, holder)
  return admission.inFlight.take(holder)
}

/** Refuses, before anything of a body is read, what would be refused once it is there. @throws ServiceError SERVICE_UNAVAILABLE. */
export function checkAdmission(request: FastifyRequest): void {
  const admission = admissionOf(request)
  if (admission) checkShare(admission, holderOf(request))
}

/** Waits before a refusal is sent to who gets very many, so that a client that comes back at once is slowed down by it. */
export const paceRefusal = async (request: FastifyRequest): Promise<void> =>
  void (await admissionOf(request)?.refusals.wait(holderOf(request)))

const admit = (
  admission: Admission,
  timeoutMs: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined => {
  const holder = holderOf(request)
  checkShare(admission, holder)
  holdUntilClosed(request, reply, admission.inFlight.take(holder))
  const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(0, timeoutMs - timeSpent(request)))
  const { turn, leave } = admission.working.enter(holder, waitMs)
  holdUntilClosed(request, reply, leave)
  return turn
}

/**
 * Admits requests whose body is there, so that nobody takes a place by sending slowly: at most `MAX_IN_FLIGHT`, of which a
 * few are worked on at a time, each client's in turn. More are refused with 503.
 */
export function registerLoadShedding(
  server: FastifyInstance,
  { maxInFlight, requestTimeoutMs }: Pick<Config, 'maxInFlight' | 'requestTimeoutMs'>,
): void {
  const admission = new Admission(maxInFlight)
  ofServer.set(server.server, admission)
  server.addHook('preValidation', (request, reply, done) => {
    const turn = isProbe(request.url) ? undefined : admit(admission, requestTimeoutMs, request, reply)
    if (turn) turn.then(() => done(), done)
    else done()
  })
}
