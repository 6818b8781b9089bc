/** Who asks, found out before anything of a request's body is read, and held against the quotas of that client. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import type { ClientUsage } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import { checkAdmission, countBriefly, holdUntilClosed, paceRefusal } from './load-shedding.ts'
import { acknowledge, admitStranger, welcome } from './strangers.ts'
import { timeSpent } from './time-spent.ts'

export interface AuthenticateParts {
  readonly access: Pick<Access, 'verify'>
  readonly usage: Pick<ClientUsage, 'enterRequest'>
  readonly config: Pick<Config, 'requestTimeoutMs'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it, if it has shown a token so far. */
    principal?: Principal
  }
}

/** Who sent a request that has passed `authenticate`. */
export const principalOf = ({ principal }: FastifyRequest): Principal => principal!

/** In whose share those are that have shown their token before: it is found at once, unless the database is slow. */
const KNOWN = 'known tokens'

/** A token that is not known yet is verified in its address's turn, in its address's share, within the request's time. */
const admitNew = (
  request: FastifyRequest,
  timeoutMs: number,
  work: () => Promise<Principal>,
): Promise<Principal> => {
  const verifyInTurn = async () => {
    await admitStranger(request)
    const leave = countBriefly(request)
    try {
      const principal = await work()
      welcome(request)
      return principal
    } finally {
      leave()
    }
  }
  return withDeadline(timeoutMs, verifyInTurn, timeSpent(request))
}

const verify = async ({ access, config }: AuthenticateParts, request: FastifyRequest): Promise<Principal> => {
  const { authorization } = request.headers
  let isKnown = true
  const leave = countBriefly(request, KNOWN)
  try {
    return await access.verify(authorization, work => {
      isKnown = false
      leave()
      return admitNew(request, config.requestTimeoutMs, work)
    })
  } catch (error) {
    if (isKnown) await paceRefusal(request)
    throw error
  } finally {
    leave()
  }
}

const enter = async ({ usage }: AuthenticateParts, request: FastifyRequest) => {
  try {
    checkAdmission(request)
    return usage.enterRequest(principalOf(request))
  } catch (error) {
    await paceRefusal(request)
    throw error
  }
}

/**
 * Makes the `onRequest` hook of every route that needs a token.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token; SERVICE_UNAVAILABLE when a quota is used up, when too
 * much is being served, or when it cannot be said whose token it is.
 */
export const authenticate =
  (parts: AuthenticateParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.principal = await verify(parts, request)
    acknowledge(request)
    const { release, headers } = await enter(parts, request)
    holdUntilClosed(request, reply, release)
    reply.headers(headers)
  }
