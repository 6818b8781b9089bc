/** Authentication of requests before their body is read, and the quotas of their client. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { type ClientUsage, createClientUsage } from '../access/client-usage.ts'
import type { Principal } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import type { Config } from '../config/config.ts'
import {
  acknowledge,
  admitAnonymous,
  checkAdmission,
  countBriefly,
  holdUntilClosed,
  paceRefusal,
  uncountAnonymous,
} from './limits.ts'
import { timeSpent } from './observe.ts'

export interface AuthenticateDependencies {
  readonly access: Pick<Access, 'verify'>
  readonly usage: Pick<ClientUsage, 'enterRequest'>
  readonly config: Pick<Config, 'requestTimeoutMs'>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its client, once it has shown a valid token. */
    principal?: Principal
  }
}

/** The client of a request that has passed `authenticate`. */
export const principalOf = ({ principal }: FastifyRequest): Principal => principal!

/** Counts requests apart from the rest of the process, against `times` the quotas of their client. */
export function createPortUsage(times: number): Pick<ClientUsage, 'enterRequest'> {
  const usage = createClientUsage()
  return {
    enterRequest: principal => {
      const { quotas } = principal
      const requestsInFlight = quotas.requestsInFlight * times
      const requestsPerSecond = quotas.requestsPerSecond * times
      return usage.enterRequest({ ...principal, quotas: { ...quotas, requestsInFlight, requestsPerSecond } })
    },
  }
}

/** Owner of the share of requests with a known token, which is found at once unless the database is slow. */
const KNOWN = 'known tokens'

/** Verifies a token that is not known yet in its address's turn and share, within the request's time. */
const admitNew = (
  request: FastifyRequest,
  timeoutMs: number,
  work: () => Promise<Principal>,
): Promise<Principal> => {
  const verifyInTurn = async () => {
    await admitAnonymous(request)
    const leave = countBriefly(request)
    try {
      const principal = await work()
      uncountAnonymous(request)
      return principal
    } finally {
      leave()
    }
  }
  return withDeadline(timeoutMs, verifyInTurn, timeSpent(request))
}

const verify = async (
  { access, config }: AuthenticateDependencies,
  request: FastifyRequest,
): Promise<Principal> => {
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

/**
 * Makes the `onRequest` hook of every route that needs a token.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token; SERVICE_UNAVAILABLE when a quota is used up, when the
 * server is too busy, or when the token cannot be checked.
 */
export const authenticate =
  (dependencies: AuthenticateDependencies) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.principal = await verify(dependencies, request)
    acknowledge(request)
    try {
      checkAdmission(request)
      const { release, headers } = dependencies.usage.enterRequest(request.principal)
      holdUntilClosed(request, reply, release)
      reply.headers(headers)
    } catch (error) {
      await paceRefusal(request)
      throw error
    }
  }
