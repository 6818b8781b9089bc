/**
 * Load shedding: what cannot be served in time is refused at once, instead of queued without bound. What a request holds
 * meanwhile (its place, its client's use of the process, the memory of its body) it gives back when its response closes.
 */
import type { Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createUseCounter } from '../async/use-counter.ts'
import { unavailable } from '../errors/catalogue.ts'
import { isProbe } from './probes.ts'

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

/** What is being served by one server, up to so much. */
class InFlight {
  readonly #served = createUseCounter()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Returns a function that leaves, which may be called twice. */
  enter(): () => void {
    if (this.#served.count >= this.#max)
      throw unavailable('Too many requests are being served; try again shortly')
    return this.#served.enter()
  }
}

const ofServer = new WeakMap<Server, InFlight>()

/**
 * Counts a request while something is done for it that its client cannot draw out, before its body is there.
 * @returns a function that ends it.
 * @throws ServiceError SERVICE_UNAVAILABLE.
 */
export const countBriefly = ({ server }: FastifyRequest): (() => void) | undefined =>
  ofServer.get(server.server)?.enter()

/**
 * Refuses requests with 503 while `maxInFlight` others are being served. A request counts from when its body is there,
 * so that nobody takes a place by sending slowly.
 */
export function registerLoadShedding(server: FastifyInstance, maxInFlight: number): void {
  const inFlight = new InFlight(maxInFlight)
  ofServer.set(server.server, inFlight)
  server.addHook('preValidation', (request, reply, done) => {
    if (!isProbe(request.url)) holdUntilClosed(request, reply, inFlight.enter())
    done()
  })
}
