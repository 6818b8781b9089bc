/** Overload: what cannot be served in time is refused at once, instead of queued without bound. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'

const leaving = new WeakMap<FastifyRequest, () => void>()

/** Says that a request is served as far as overload goes: a stream that stays open costs next to nothing. */
export const leaveOverload = (request: FastifyRequest): void => leaving.get(request)?.()

/** Refuses requests with 503 while `maxInFlight` others are being served. */
export function registerOverload(server: FastifyInstance, maxInFlight: number): void {
  let inFlight = 0
  server.addHook('onRequest', async (request, reply) => {
    if (inFlight >= maxInFlight) throw unavailable('Too many requests are being served; try again shortly')
    inFlight += 1
    let counted = true
    const leave = () => {
      if (counted) inFlight -= 1
      counted = false
    }
    leaving.set(request, leave)
    reply.raw.once('close', leave)
  })
}
