/** Who asks, found out before anything of a request's body is read, and held against the quotas of that client. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import type { ClientUsage } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { countBriefly, holdUntilClosed } from './load-shedding.ts'
import { acknowledge } from './strangers.ts'
import { noteTimeSpent } from './time-spent.ts'

export interface AuthenticateParts {
  readonly access: Pick<Access, 'verify'>
  readonly usage: Pick<ClientUsage, 'enterRequest'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it, if it has shown a token so far. */
    principal?: Principal
  }
}

/** Who sent a request that has passed `authenticate`. */
export const principalOf = ({ principal }: FastifyRequest): Principal => principal!

const verify = async (access: AuthenticateParts['access'], request: FastifyRequest): Promise<Principal> => {
  const leave = countBriefly(request)
  try {
    return await access.verify(request.headers.authorization)
  } finally {
    leave?.()
  }
}

/**
 * Makes the `onRequest` hook of every route that needs a token.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token; SERVICE_UNAVAILABLE when a quota is used up, or when
 * it cannot be said whose token it is.
 */
export const authenticate =
  ({ access, usage }: AuthenticateParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const principal = await verify(access, request)
    acknowledge(request)
    const { release, headers } = usage.enterRequest(principal)
    holdUntilClosed(request, reply, release)
    reply.headers(headers)
    request.principal = principal
    noteTimeSpent(request, reply)
  }
