/** Authentication of requests before their body is read, and the quotas of their client. */
import type { Access } from '../access/access.ts'
import { TokenRefusal } from '../access/claims.ts'
import { type ClientUsage, createClientUsage } from '../access/client-usage.ts'
import { ACTING_USER, actingUserOf, type Caller, type Principal } from '../access/principal.ts'
import { withDeadline } from '../async/deadline.ts'
import type { AccessRecorder, AccessTrail } from '../audit/access-recorder.ts'
import type { RefusedSignIns } from '../audit/refused-sign-ins.ts'
import type { Config } from '../config/config.ts'
import type { ServiceError } from '../errors/catalogue.ts'
import { type RequestFacts, withFacts } from '../observability/request-facts.ts'
import type { Query } from '../values/text.ts'
import type { HttpReply, HttpRequest } from './exchange.ts'
import {
  acknowledge,
  admitAnonymous,
  checkAdmission,
  countBriefly,
  paceRefusal,
  uncountAnonymous,
} from './limits.ts'
import { timeSpent } from './observe.ts'
import { holdUntilClosed } from './responses.ts'
import type { RestRequest } from './rest-operations.ts'

export interface AuthenticateDependencies {
  readonly access: Pick<Access, 'verify'>
  readonly refusals: Pick<RefusedSignIns, 'countToken'>
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
export const principalOf = ({ principal }: Pick<HttpRequest, 'principal'>): Principal => principal!

/** The caller of a request that has passed `authenticate`. */
export const callerOf = (records: AccessRecorder, request: HttpRequest, signal: AbortSignal): Caller => {
  const facts = request.facts!
  const principal = principalOf(request)
  return { principal, correlator: request.id, user: facts.user, trail: records.trailOf(facts), signal }
}

/** Header with the key under which a repeated request gets the first response again. */
const IDEMPOTENCY_KEY = 'idempotency-key'

/** Makes the request of an operation of one that has passed `authenticate`. @param shape faults of its body, if any. */
export const restRequestOf = (
  request: HttpRequest,
  trail: AccessTrail,
  signal: AbortSignal,
  shape?: ServiceError,
): RestRequest => ({
  caller: {
    principal: principalOf(request),
    correlator: request.id,
    user: request.facts?.user,
    trail,
    signal,
  },
  body: request.body,
  shape,
  params: request.params as Record<string, string>,
  query: request.query as Query,
  idempotencyKey: [request.headers[IDEMPOTENCY_KEY]].flat()[0],
  accept: request.headers.accept,
})

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
  request: HttpRequest,
  timeoutMs: number,
  work: () => Promise<Principal>,
): Promise<Principal> => {
  const verifyInTurn = async () => {
    await admitAnonymous(request)
    const leave = countBriefly(request)
    try {
      const principal = await withFacts(request.facts, work)
      uncountAnonymous(request)
      return principal
    } finally {
      leave()
    }
  }
  return withDeadline(timeoutMs, verifyInTurn, timeSpent(request))
}

const verify = async (
  { access, refusals, config }: AuthenticateDependencies,
  request: HttpRequest,
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
    if (error instanceof TokenRefusal) refusals.countToken(error, request.ip)
    if (isKnown) await paceRefusal(request)
    throw error
  } finally {
    leave()
  }
}

/**
 * Records a client, and the person behind it.
 * @param named the person as a portal names it.
 * @throws ServiceError INVALID_ARGUMENT for a value that is no name.
 */
export const recordClient = (facts: RequestFacts, principal: Principal, named?: unknown): void => {
  facts.principal = principal
  facts.user = actingUserOf(principal, named)
}

/**
 * Makes the `onRequest` hook of every route that needs a token.
 * @throws ServiceError UNAUTHORIZED for a missing or wrong token; SERVICE_UNAVAILABLE when a quota is used up, when the
 * server is too busy, or when the token cannot be checked.
 */
export const authenticate =
  (dependencies: AuthenticateDependencies) =>
  async (request: HttpRequest, reply: HttpReply): Promise<void> => {
    const principal = await verify(dependencies, request)
    request.principal = principal
    if (request.facts) recordClient(request.facts, principal, request.headers[ACTING_USER])
    acknowledge(request)
    try {
      checkAdmission(request)
      const { release, headers } = dependencies.usage.enterRequest(principal)
      holdUntilClosed(request, reply, release)
      reply.headers(headers)
    } catch (error) {
      await paceRefusal(request)
      throw error
    }
  }
