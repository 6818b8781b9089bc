/** What each client uses of this process at the moment, held against its quotas. */
import { LRUCache } from 'lru-cache'
import { createUseCounter, type UseCounter } from '../async/limits.ts'
import { OnePerTurn } from '../async/turns.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { Principal } from './principal.ts'
import type { Quotas } from './quotas.ts'
import { type BucketRate, TokenBucket } from './token-bucket.ts'

/** A use that was counted; give it back once. */
export type Release = () => void

/** A request that was let in, and the headers that tell a client how to pace itself. */
export interface AdmittedRequest {
  readonly release: Release
  readonly headers: Readonly<Record<string, string>>
}

/** All refuse by ServiceError SERVICE_UNAVAILABLE with `retry-after`; requests with the `ratelimit` headers too. */
export interface ClientUsage {
  /** Counts a request until it is released. */
  enterRequest(principal: Principal): AdmittedRequest
  /** Counts a connection that stays open until it is released. */
  enterStream(principal: Principal): Release
  /** Counts a test event until it is released. */
  enterTestEvent(principal: Principal): Release
  /** Counts what an operation can come to, in fields. */
  spendCost(principal: Principal, cost: number): void
  /** Lets an operation in that is still to be parsed: not while the client owes what it was refused. */
  checkCost(principal: Principal): void
  /** Counts an operation that was refused after it was looked at, by the length of its text: a character is a field. */
  spendRefused(principal: Principal, text: string): void
  /** Resolves when the client may do what holds up the process for others. */
  turn(principal: Principal): Promise<void>
}

type Counted = 'requestsInFlight' | 'openStreams' | 'webhooksInFlight'

class ClientState {
  readonly inUse: Readonly<Record<Counted, UseCounter>> = {
    requestsInFlight: createUseCounter(),
    openStreams: createUseCounter(),
    webhooksInFlight: createUseCounter(),
  }
  readonly requests: TokenBucket
  readonly cost: TokenBucket
  readonly testEvents: TokenBucket

  constructor(quotas: Quotas, now: number) {
    this.requests = new TokenBucket(requestRate(quotas), now)
    this.cost = new TokenBucket(costRate(quotas), now)
    this.testEvents = new TokenBucket(testEventRate(quotas), now)
  }
}

/** A client that is forgotten begins with full buckets, which an hour of silence would have given it too. */
const MAX_CLIENTS = 10_000
const BURST_SECONDS = 2

const requestRate = ({ requestsPerSecond }: Quotas): BucketRate => ({
  perSecond: requestsPerSecond,
  capacity: BURST_SECONDS * requestsPerSecond,
})

const costRate = ({ costPerMinute }: Quotas): BucketRate => ({
  perSecond: costPerMinute / 60,
  capacity: costPerMinute,
})

/** How long an attempt can last (`webhooks/attempt.ts`). */
const ATTEMPT_SECONDS = 10

/** As many as there would be if none were answered; a receiver that answers fast is not flooded. */
const testEventRate = ({ webhooksInFlight }: Quotas): BucketRate => ({
  perSecond: webhooksInFlight / ATTEMPT_SECONDS,
  capacity: webhooksInFlight,
})

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-09 §3, §4): quota, window, what remains. */
const rateLimitHeaders = ({ capacity }: BucketRate, level: number, waitSeconds: number) => ({
  'ratelimit-policy': `"client";q=${capacity};w=${BURST_SECONDS}`,
  ratelimit: `"client";r=${Math.floor(level)};t=${Math.ceil(waitSeconds)}`,
})

const tooMany = (message: string, waitSeconds: number, headers: Record<string, string> = {}) =>
  unavailable(message, { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)), headers })

const tooManyFields = ({ costPerMinute }: Quotas, waitSeconds: number) =>
  tooMany(`Operations of more than ${costPerMinute} fields a minute`, waitSeconds)

/** Counts one more, unless the client has as many already. */
const enter = ({ inUse }: ClientState, name: Counted, { quotas }: Principal, what: string): Release => {
  if (inUse[name].count >= quotas[name])
    throw tooMany(`This client has ${quotas[name]} ${what} already; try again shortly`, 1)
  return inUse[name].enter()
}

/** Counts for this process. @param now milliseconds; tests bring their own clock. */
export function createClientUsage(now: () => number = () => performance.now()): ClientUsage {
  const turns = new OnePerTurn()
  const states = new LRUCache<string, ClientState>({ max: MAX_CLIENTS })
  const stateOf = ({ clientId, quotas }: Principal) => {
    const known = states.get(clientId)
    if (known) return known
    const state = new ClientState(quotas, now())
    states.set(clientId, state)
    return state
  }
  return {
    enterRequest(principal) {
      const { quotas } = principal
      const state = stateOf(principal)
      const rate = requestRate(quotas)
      const at = now()
      const wait = state.requests.take(1, rate, at)
      const headers = rateLimitHeaders(rate, state.requests.level(rate, at), wait)
      if (wait > 0) throw tooMany(`More than ${quotas.requestsPerSecond} requests a second`, wait, headers)
      return { release: enter(state, 'requestsInFlight', principal, 'requests under way'), headers }
    },
    enterStream: principal => enter(stateOf(principal), 'openStreams', principal, 'streams open'),
    enterTestEvent(principal) {
      const { quotas } = principal
      const state = stateOf(principal)
      const release = enter(state, 'webhooksInFlight', principal, 'test events under way')
      const wait = state.testEvents.take(1, testEventRate(quotas), now())
      if (wait === 0) return release
      release()
      throw tooMany(`More than ${quotas.webhooksInFlight} test events in ${ATTEMPT_SECONDS} seconds`, wait)
    },
    spendCost(principal, cost) {
      const { quotas } = principal
      const wait = stateOf(principal).cost.take(cost, costRate(quotas), now())
      if (wait > 0) throw tooManyFields(quotas, wait)
    },
    checkCost(principal) {
      const { quotas } = principal
      const wait = stateOf(principal).cost.take(0, costRate(quotas), now())
      if (wait > 0) throw tooManyFields(quotas, wait)
    },
    spendRefused(principal, text) {
      stateOf(principal).cost.owe(text.length, costRate(principal.quotas), now())
    },
    turn: ({ clientId }) => turns.take(clientId),
  }
}
