/** How long a request has taken before its body was read: its own limit counts that too (docs/decisions.md, "Failures"). */
import type { FastifyInstance, FastifyRequest } from 'fastify'

const spent = new WeakMap<FastifyRequest, number>()

/** In milliseconds, from when it came until its client was known; how long the body took has a limit of its own. */
export const timeSpent = (request: FastifyRequest): number => spent.get(request) ?? 0

/** Notes for each request how long it took to find out who asks. */
export function registerTimeSpent(server: FastifyInstance): void {
  server.addHook('preParsing', async (request, reply) => {
    spent.set(request, reply.elapsedTime)
  })
}
