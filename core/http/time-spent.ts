/** How long a request has taken so far: all its steps share one limit, `REQUEST_TIMEOUT_MS` (docs/decisions.md, "Failures"). */
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** When its headers were there, by the clock of `performance.now()`. */
    cameAt?: number
  }
}

/** Notes that a request has come. */
export const noteArrival = (request: FastifyRequest): void => {
  request.cameAt = performance.now()
}

/** How long a request has taken since its headers were there, in milliseconds. */
export const timeSpent = ({ cameAt }: FastifyRequest): number =>
  cameAt === undefined ? 0 : performance.now() - cameAt
