/**
 * A circuit breaker: an instance that failed several times in a row is ejected, then probed now and then. Instances of
 * subgraphs have one each, and outside charging systems.
 *
 * Own code, because the state is told by two sorts of use, HTTP calls and long WebSocket connections, and asked for
 * before either begins, to choose among instances, or to claim orders for a system. cockatiel and opossum decide inside one call of a function that
 * they run themselves: they can neither be told of an outcome nor asked whether a probe is due.
 */
import { createBackoff } from './backoff.ts'

/** So many failures in a row eject an instance. */
const MAX_FAILURES = 5
/**
 * How long it stays ejected before one request probes it, in milliseconds: first briefly, since most are only
 * restarted.
 */
const pauseMs = createBackoff({ firstMs: 250, longestMs: 2_000 })

export interface BreakerOptions {
  /** How long a probe may take, in milliseconds; one that is never told of is given up then. */
  readonly probeMs: number
  /** The clock, in milliseconds. */
  readonly now: () => number
}

export class Breaker {
  readonly #options: BreakerOptions
  #failures = 0
  #retryAt = 0

  constructor(options: BreakerOptions) {
    this.#options = options
  }

  /** Whether it is ejected, also while a probe is due. */
  get isOpen(): boolean {
    return this.#failures >= MAX_FAILURES
  }

  /** Whether `claim` would say no. */
  get isClosedToAll(): boolean {
    return this.isOpen && this.#options.now() < this.#retryAt
  }

  /** Whether a request may go now. Where it is a probe, the next may not until its outcome is told. */
  claim(): boolean {
    if (!this.isOpen) return true
    const now = this.#options.now()
    if (now < this.#retryAt) return false
    this.#retryAt = now + this.#options.probeMs
    return true
  }

  /** It responded. Returns whether it had been ejected until now. */
  succeeded(): boolean {
    const wasOpen = this.isOpen
    this.#failures = 0
    return wasOpen
  }

  /** It could not be reached. Returns whether it is ejected from now on. */
  failed(): boolean {
    const wasOpen = this.isOpen
    this.#failures += 1
    if (this.isOpen) this.#retryAt = this.#options.now() + pauseMs(this.#failures - MAX_FAILURES)
    return !wasOpen && this.isOpen
  }

  /** It was not asked in the end: where that was to be a probe, another may be made. */
  abandoned(): void {
    this.#retryAt = this.#options.now()
  }
}
