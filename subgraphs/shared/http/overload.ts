/** Overload: what cannot be served in time is refused at once, instead of queued without bound. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { isProbe, pathOf } from './probes.ts'
import { holdUntilClosed, releaseHeld } from './until-closed.ts'

/** Says that a request is served as far as overload goes: a stream that stays open costs next to nothing. */
export const leaveOverload = (request: FastifyRequest): void => releaseHeld(request)

/**
 * Refuses requests with 503 while `maxInFlight` others are being served. A request counts from when its body is there,
 * so that nobody takes a place by sending slowly.
 */
export function registerOverload(server: FastifyInstance, maxInFlight: number): void {
  let inFlight = 0
  server.addHook('preValidation', async (request, reply) => {
    if (isProbe(pathOf(request.url))) return
    if (inFlight >= maxInFlight) throw unavailable('Too many requests are being served; try again shortly')
    inFlight += 1
    let counted = true
    holdUntilClosed(request, reply, () => {
      if (counted) inFlight -= 1
      counted = false
    })
  })
}
