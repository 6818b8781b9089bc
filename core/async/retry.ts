/** Time of the next try after a failure: exponential back-off, and a circuit breaker for one that others share. */

interface BackoffOptions {
  readonly firstMs: number
  readonly longestMs: number
  /** The share of a wait, at most 1, by which it is shorter or longer by chance; 0 when absent. */
  readonly jitter?: number
}

/** Most doublings: further ones would leave the safe integers, and every longest wait is far below. */
const MAX_DOUBLINGS = 40

/**
 * Exponential back-off: each wait is twice the one before, up to the longest. Makes the function that gives the wait in
 * milliseconds before a retry; the first retry is number 0.
 */
export const createBackoff =
  ({ firstMs, longestMs, jitter = 0 }: BackoffOptions, random: () => number = Math.random) =>
  (retry: number): number => {
    const wait = Math.min(longestMs, firstMs * 2 ** Math.min(retry, MAX_DOUBLINGS))
    return wait * (1 - jitter + 2 * jitter * random())
  }

/** Failures in a row after which it is open. */
const MAX_FAILURES = 5
/** Time before one request probes it, in milliseconds: first briefly, since most peers are only restarted. */
const pauseMs = createBackoff({ firstMs: 250, longestMs: 2_000 })

interface BreakerOptions {
  /** How long a probe may take, in milliseconds; one whose outcome is never reported is given up then. */
  readonly probeMs: number
  /** The clock, in milliseconds. */
  readonly now: () => number
}

/**
 * A circuit breaker: a peer that failed several times in a row is left alone, then probed now and then. Subgraphs have one
 * each, and outside charging systems.
 *
 * Own code, because two sorts of use report to it, HTTP calls and long WebSocket connections, and its state is read before
 * either begins, or orders are claimed for a system. cockatiel and opossum decide inside one call of
 * a function that they run themselves: they take no reports of outcomes, and cannot say whether a probe is due.
 */
export class Breaker {
  readonly #options: BreakerOptions
  #failures = 0
  #retryAt = 0
  #failingSince: Date | undefined

  constructor(options: BreakerOptions) {
    this.#options = options
  }

  /** Whether the peer is left alone, also while a probe is due. */
  get isOpen(): boolean {
    return this.#failures >= MAX_FAILURES
  }

  /** The first of the failures in a row; undefined while the last response came. */
  get failingSince(): Date | undefined {
    return this.#failingSince
  }

  /** Whether `claim` would return false. */
  get isClosedToAll(): boolean {
    return this.isOpen && this.#options.now() < this.#retryAt
  }

  /** Whether a request may go now. Where it is a probe, the next may not until its outcome is reported. */
  claim(): boolean {
    if (!this.isOpen) return true
    const now = this.#options.now()
    if (now < this.#retryAt) return false
    this.#retryAt = now + this.#options.probeMs
    return true
  }

  /** Reports a response. Returns whether the peer was left alone until now. */
  succeeded(): boolean {
    const wasOpen = this.isOpen
    this.#failures = 0
    this.#failingSince = undefined
    return wasOpen
  }

  /** Reports that it could not be reached. Returns whether the peer is left alone from now on. */
  failed(): boolean {
    const wasOpen = this.isOpen
    this.#failures += 1
    this.#failingSince ??= new Date()
    if (this.isOpen) this.#retryAt = this.#options.now() + pauseMs(this.#failures - MAX_FAILURES)
    return !wasOpen && this.isOpen
  }

  /** Reports that the request was not sent in the end: where it was to be a probe, another may be made. */
  abandoned(): void {
    this.#retryAt = this.#options.now()
  }
}
