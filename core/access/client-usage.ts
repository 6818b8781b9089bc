/** Usage of this process by each client, limited by its quotas. */
import { LRUCache } from 'lru-cache'
import { createUseCounter, OnePerTurn, type UseCounter } from '../async/limits.ts'
import { unavailable } from '../errors/catalogue.ts'
import type { CountThrottled, ThrottleLimit } from '../observability/client-metrics.ts'
import type { Principal, Quotas } from './principal.ts'

/** Rate and size of a token bucket. */
export interface BucketRate {
  readonly perSecond: number
  readonly capacity: number
}

/** A token bucket: an average rate, with a stock that may be used at once. */
export class TokenBucket {
  #level: number
  #filledAt: number

  /** @param now milliseconds on any clock that does not run backwards. */
  constructor({ capacity }: BucketRate, now: number) {
    this.#level = capacity
    this.#filledAt = now
  }

  /** Finds its content. A changed rate counts from now on. */
  level({ perSecond, capacity }: BucketRate, now: number): number {
    this.#level = Math.min(capacity, this.#level + ((now - this.#filledAt) * perSecond) / 1_000)
    this.#filledAt = now
    return this.#level
  }

  /**
   * Takes `amount` if the bucket has it; an amount above its capacity is taken from a full one.
   * @returns 0, or the seconds until there will be enough.
   */
  take(amount: number, rate: BucketRate, now: number): number {
    const wanted = Math.min(amount, rate.capacity)
    const missing = wanted - this.level(rate, now)
    if (missing > 0) return missing / rate.perSecond
    this.#level -= wanted
    return 0
  }

  /** Takes an amount that was used already. The bucket may then owe up to its capacity. */
  owe(amount: number, rate: BucketRate, now: number): void {
    this.#level = Math.max(this.level(rate, now) - amount, -rate.capacity)
  }
}

/** Ends a use that was counted; call it once. */
export type Release = () => void

/** An admitted request, with the headers by which a client can pace itself. */
interface AdmittedRequest {
  readonly release: Release
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Counts of what clients use. At a limit they throw ServiceError SERVICE_UNAVAILABLE with `retry-after`; for requests with the
 * `ratelimit` headers too.
 */
export interface ClientUsage {
  /** Counts a request until it is released. */
  enterRequest(principal: Principal): AdmittedRequest
  /** Counts a connection that stays open until it is released. */
  enterStream(principal: Principal): Release
  /** Counts a test event until it is released. */
  enterTestEvent(principal: Principal): Release
  /** Counts the cost of an operation in fields: the highest that it can have. */
  spendCost(principal: Principal, cost: number): void
  /** Admits an operation before it is parsed, unless the client still owes for refused ones. */
  checkCost(principal: Principal): void
  /** Counts an operation that was refused after it was parsed. Each character of its text costs as much as a field. */
  spendRefused(principal: Principal, text: string): void
  /** Counts an explanation of an operation. @returns false where the client has used up its quota, or has none. */
  takeExplanation(principal: Principal): boolean
  /** Resolves when the client may do work that delays others in the process. */
  turn(principal: Principal): Promise<void>
  /** The rest of a client's quotas at this moment, rounded down; at least 0. */
  left(
    client: Pick<Principal, 'clientId' | 'quotas'>,
  ): Omit<Quotas, 'webhooksInFlight' | 'explainedPerMinute'>
}

type CountedUse = 'requestsInFlight' | 'openStreams' | 'webhooksInFlight'

/** Names of limits in metrics, by the use that they limit. */
const LIMITS: Readonly<Record<CountedUse, ThrottleLimit>> = {
  requestsInFlight: 'client_requests',
  openStreams: 'client_streams',
  webhooksInFlight: 'client_test_events',
}

class ClientState {
  readonly inUse: Readonly<Record<CountedUse, UseCounter>> = {
    requestsInFlight: createUseCounter(),
    openStreams: createUseCounter(),
    webhooksInFlight: createUseCounter(),
  }
  readonly requests: TokenBucket
  readonly cost: TokenBucket
  readonly testEvents: TokenBucket
  readonly explained: TokenBucket

  constructor(quotas: Quotas, now: number) {
    this.requests = new TokenBucket(requestRate(quotas), now)
    this.cost = new TokenBucket(costRate(quotas), now)
    this.testEvents = new TokenBucket(testEventRate(quotas), now)
    this.explained = new TokenBucket(explainedRate(quotas), now)
  }
}

/** Largest number of clients whose counts are kept. A forgotten client begins with full buckets, as after an hour of silence. */
const MAX_CLIENTS = 10_000
/** Stock of requests that may be sent at once, in seconds of the rate. */
const BURST_SECONDS = 2

const requestRate = ({ requestsPerSecond }: Quotas): BucketRate => ({
  perSecond: requestsPerSecond,
  capacity: BURST_SECONDS * requestsPerSecond,
})

const costRate = ({ costPerMinute }: Quotas): BucketRate => ({
  perSecond: costPerMinute / 60,
  capacity: costPerMinute,
})

const explainedRate = ({ explainedPerMinute }: Quotas): BucketRate => ({
  perSecond: explainedPerMinute / 60,
  capacity: explainedPerMinute,
})

/** Longest duration of a test event's attempt, in seconds (`webhooks/attempt.ts`). */
const ATTEMPT_SECONDS = 10

/** Rate of test events: as fast as endpoints that never answer allow. One that answers fast is not flooded either. */
const testEventRate = ({ webhooksInFlight }: Quotas): BucketRate => ({
  perSecond: webhooksInFlight / ATTEMPT_SECONDS,
  capacity: webhooksInFlight,
})

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-09 §3, §4): quota, window, remainder. */
const rateLimitHeaders = ({ capacity }: BucketRate, level: number, waitSeconds: number) => ({
  'ratelimit-policy': `"client";q=${capacity};w=${BURST_SECONDS}`,
  ratelimit: `"client";r=${Math.floor(level)};t=${Math.ceil(waitSeconds)}`,
})

const tooMany = (message: string, waitSeconds: number, headers: Record<string, string> = {}) =>
  unavailable(message, { retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)), headers })

const tooManyFields = ({ costPerMinute }: Quotas, waitSeconds: number) =>
  tooMany(`This client has used up its ${costPerMinute} fields a minute; try again later`, waitSeconds)

/**
 * Makes the counts of this process.
 * @param now milliseconds; tests bring their own clock.
 * @param onThrottled called with each limit by which a use is refused.
 */
export function createClientUsage(
  now: () => number = () => performance.now(),
  onThrottled: CountThrottled = () => undefined,
): ClientUsage {
  /** Counts one more use, unless the client has reached its quota. */
  const enter = ({ inUse }: ClientState, name: CountedUse, { quotas }: Principal, what: string): Release => {
    if (inUse[name].count < quotas[name]) return inUse[name].enter()
    onThrottled(LIMITS[name])
    throw tooMany(`This client has ${quotas[name]} ${what} already; try again shortly`, 1)
  }
  const takeCost = (principal: Principal, cost: number) => {
    const { quotas } = principal
    const wait = stateOf(principal).cost.take(cost, costRate(quotas), now())
    if (wait === 0) return
    onThrottled('client_cost')
    throw tooManyFields(quotas, wait)
  }
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
      if (wait > 0) {
        onThrottled('client_request_rate')
        throw tooMany(`More than ${quotas.requestsPerSecond} requests a second`, wait, headers)
      }
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
      onThrottled('client_test_events')
      throw tooMany(`More than ${quotas.webhooksInFlight} test events in ${ATTEMPT_SECONDS} seconds`, wait)
    },
    spendCost: takeCost,
    checkCost: principal => takeCost(principal, 0),
    spendRefused(principal, text) {
      stateOf(principal).cost.owe(text.length, costRate(principal.quotas), now())
    },
    takeExplanation(principal) {
      const { quotas } = principal
      if (quotas.explainedPerMinute === 0) return false
      return stateOf(principal).explained.take(1, explainedRate(quotas), now()) === 0
    },
    turn: ({ clientId }) => turns.take(clientId),
    left({ clientId, quotas }) {
      // Reading must not count as use. A client that is not known yet has all of its quotas.
      const at = now()
      const { inUse, requests, cost } = states.peek(clientId) ?? new ClientState(quotas, at)
      const whole = (left: number) => Math.max(0, Math.floor(left))
      return {
        requestsInFlight: whole(quotas.requestsInFlight - inUse.requestsInFlight.count),
        requestsPerSecond: whole(requests.level(requestRate(quotas), at)),
        costPerMinute: whole(cost.level(costRate(quotas), at)),
        openStreams: whole(quotas.openStreams - inUse.openStreams.count),
      }
    },
  }
}
