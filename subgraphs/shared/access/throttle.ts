/** Slows down the guessing of secrets: after a few wrong ones, a wait that doubles with each more. */
import { networkOf } from '../values/network.ts'
import { BoundedMap } from './bounded-map.ts'

/** Who tries: the client it says it is, and the network address it comes from. */
export interface Attempt {
  readonly clientId: string
  readonly address: string
}

export interface Throttle {
  /** Seconds until the next try is allowed; 0 when it is now. */
  waitSeconds(attempt: Attempt): number
  failed(attempt: Attempt): void
  succeeded(attempt: Attempt): void
}

interface Failures {
  readonly count: number
  readonly blockedUntil: number
}

/** Consecutive failures before the first wait. */
const FREE_PER_CLIENT = 5
/** Looser, since many clients can share an address. */
const FREE_PER_ADDRESS = 100
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 900_000
const FORGOTTEN_AFTER_MS = 3_600_000
const MAX_KEPT = 10_000
const MAX_ID_LENGTH = 128

const waitMs = (count: number, free: number) =>
  count < free ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - free), LONGEST_WAIT_MS)

const createCounter = (free: number, now: () => number) => {
  const failures = new BoundedMap<string, Failures>(MAX_KEPT)
  const fail = (key: string) => {
    const { count = 0, blockedUntil = 0 } = failures.get(key) ?? {}
    const forgotten = now() > blockedUntil + FORGOTTEN_AFTER_MS
    const next = forgotten ? 1 : count + 1
    failures.set(key, { count: next, blockedUntil: now() + waitMs(next, free) })
  }
  const remainingMs = (key: string) => Math.max(0, (failures.get(key)?.blockedUntil ?? 0) - now())
  return { fail, remainingMs, forget: (key: string) => failures.delete(key) }
}

/**
 * Counts per client and address together, so that nobody can lock a client out from elsewhere, and much more
 * loosely per address. A success ends the former alone: one's own secret must not pay for guessing others'.
 */
export function createThrottle(now: () => number = Date.now): Throttle {
  const perClient = createCounter(FREE_PER_CLIENT, now)
  const perAddress = createCounter(FREE_PER_ADDRESS, now)
  const pair = ({ clientId, address }: Attempt) => `${networkOf(address)} ${clientId.slice(0, MAX_ID_LENGTH)}`
  const remainingMs = (attempt: Attempt) =>
    Math.max(perClient.remainingMs(pair(attempt)), perAddress.remainingMs(networkOf(attempt.address)))
  return {
    waitSeconds: attempt => Math.ceil(remainingMs(attempt) / 1_000),
    succeeded: attempt => perClient.forget(pair(attempt)),
    failed: attempt => {
      perClient.fail(pair(attempt))
      perAddress.fail(networkOf(attempt.address))
    },
  }
}
