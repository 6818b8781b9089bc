/** How long a request has taken before its body is read: its own limit counts that too (docs/decisions.md, "Failures"). */
import type { FastifyReply, FastifyRequest } from 'fastify'

const spent = new WeakMap<FastifyRequest, number>()

/** In milliseconds, from when it came until its client was known; how long the body took has a limit of its own. */
export const timeSpent = (request: FastifyRequest): number => spent.get(request) ?? 0

/** Notes how long it took to find out who asks. */
export const noteTimeSpent = (request: FastifyRequest, reply: FastifyReply): void =>
  void spent.set(request, reply.elapsedTime)
