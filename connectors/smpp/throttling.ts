/**
 * The pace of a bind: as fast as the window allows until the message centre says that it is too fast, then slower by half
 * each time, and faster again little by little with each message that is taken.
 */

/** Between two messages after the first refusal: ten a second. */
const FIRST_MS = 100

/** Slower than that is no help to anybody. */
const LONGEST_MS = 10_000

/** Of the wait, with each message that was taken. */
const RECOVERY = 0.9

/** A wait below it is none. */
const SHORTEST_MS = 1

export interface Pace {
  /** How long the next message has to wait yet, in milliseconds; 0 when it may be sent. */
  waitMs(): number
  /** A message is sent. */
  sent(): void
  /** It was taken. */
  taken(): void
  /** It was refused as too fast. @param sentAt when it was sent, by the same clock. */
  throttled(sentAt: number): void
  /** Between two messages, in milliseconds. */
  readonly intervalMs: number
}

/**
 * @param perSecond never more than so many, whatever the message centre would take; 0 for no such limit.
 * @param now a clock in milliseconds that never goes back.
 */
export function createPace(perSecond: number, now: () => number = () => performance.now()): Pace {
  const least = perSecond > 0 ? 1_000 / perSecond : 0
  let intervalMs = least
  let nextAt = 0
  let slowedAt = Number.NEGATIVE_INFINITY
  return {
    waitMs: () => Math.max(0, nextAt - now()),
    sent() {
      nextAt = Math.max(nextAt, now()) + intervalMs
    },
    taken() {
      const faster = intervalMs * RECOVERY
      intervalMs = Math.max(least, faster < SHORTEST_MS ? 0 : faster)
    },
    throttled(sentAt) {
      // All that were under way when it slowed down are refused for the same reason.
      if (sentAt < slowedAt) return
      slowedAt = now()
      intervalMs = Math.min(LONGEST_MS, Math.max(FIRST_MS, intervalMs * 2))
      nextAt = slowedAt + intervalMs
    },
    get intervalMs() {
      return intervalMs
    },
  }
}
