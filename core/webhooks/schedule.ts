/** Schedule of a webhook's attempts: pure arithmetic (docs/webhooks.md, "Retries"). */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Waits before each attempt, in milliseconds; there are as many attempts as waits. */
export const WAITS: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
]

/** The part by which waits differ at the most, so that attempts that failed together are not repeated together. */
const SPREAD = 0.2

export interface Failed {
  /** How many attempts were made, this one included. */
  readonly attempts: number
  /** The wait that the endpoint asked for, in milliseconds (`Retry-After`). */
  readonly retryAfterMs?: number
  /** At least 0, less than 1. */
  readonly random: number
}

/** How long to wait for the next attempt, in milliseconds; undefined when there is none. */
export function waitAfter({ attempts, retryAfterMs = 0, random }: Failed): number | undefined {
  const wait = WAITS[attempts]
  if (wait === undefined) return undefined
  const planned = wait * (1 - SPREAD + 2 * SPREAD * random)
  return Math.round(Math.min(Math.max(planned, retryAfterMs), 2 * planned))
}

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3): seconds, or a date.
 * @returns milliseconds from now; undefined when it says nothing that can be read.
 */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND
  const at = /^[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
