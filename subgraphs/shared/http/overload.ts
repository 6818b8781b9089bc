/** Overload: what cannot be served in time is refused at once, instead of queued without bound. */
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors.ts'

/** Refuses requests with 503 while `maxInFlight` others are being served. */
export function registerOverload(server: FastifyInstance, maxInFlight: number): void {
  let inFlight = 0
  server.addHook('onRequest', async (_request, reply) => {
    if (inFlight >= maxInFlight) throw unavailable('Too many requests are being served; try again shortly')
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
  })
}
