/** How long a request has taken before its body is read: its own limit counts that too (docs/decisions.md, "Failures"). */
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** In milliseconds, from when it came until its client was known; how long the body took has a limit of its own. */
    spentMs?: number
  }
}

/** How long it took until the client of a request was known, in milliseconds. */
export const timeSpent = ({ spentMs = 0 }: FastifyRequest): number => spentMs

/** Notes that the client is known now. */
export const noteTimeSpent = (request: FastifyRequest, { elapsedTime }: FastifyReply): void => {
  request.spentMs = elapsedTime
}
