/** Load shedding: what cannot be served in time is refused at once, instead of queued without bound. */
import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createUseCounter } from '../async/use-counter.ts'
import { unavailable } from '../errors/catalogue.ts'
import { isProbe, pathOf } from './probes.ts'
import { holdUntilClosed, releaseHeld } from './until-closed.ts'

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

/** Releases the slot of a request that goes on as a stream, which costs next to nothing while it is open. */
export const releaseSlot = (request: FastifyRequest): void => releaseHeld(request)

/**
 * Counts a request while `work` is done for it that its client cannot draw out, before its body is there.
 * @throws ServiceError SERVICE_UNAVAILABLE.
 */
export async function countWhile<T>({ server }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const release = ofServer.get(server.server)?.enter()
  try {
    return await work()
  } finally {
    release?.()
  }
}

/**
 * Refuses requests with 503 while `maxInFlight` others are being served. A request counts from when its body is there,
 * so that nobody takes a place by sending slowly.
 */
export function registerLoadShedding(server: FastifyInstance, maxInFlight: number): void {
  const inFlight = new InFlight(maxInFlight)
  ofServer.set(server.server, inFlight)
  server.addHook('preValidation', async (request, reply) => {
    if (!isProbe(pathOf(request.url))) holdUntilClosed(request, reply, inFlight.enter())
  })
}
