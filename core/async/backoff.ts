/** Exponential back-off: each wait twice the one before, up to a longest one. */

export interface BackoffOptions {
  readonly firstMs: number
  readonly longestMs: number
  /** Each wait is so much shorter or longer by chance, as a share of it; 0 when absent. At most 1. */
  readonly jitter?: number
}

/** Doubling further would leave the safe integers, and every longest wait is far below. */
const MAX_DOUBLINGS = 40

/** Makes the function that gives the wait in milliseconds before a retry; the first retry is number 0. */
export const createBackoff =
  ({ firstMs, longestMs, jitter = 0 }: BackoffOptions, random: () => number = Math.random) =>
  (retry: number): number => {
    const wait = Math.min(longestMs, firstMs * 2 ** Math.min(retry, MAX_DOUBLINGS))
    return wait * (1 - jitter + 2 * jitter * random())
  }
