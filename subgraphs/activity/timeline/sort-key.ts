/**
 * The one number by which the timeline is ordered: the millisecond of creation, then the kind, then the number in the
 * kind's sequence. It says the time (so a span of time is a range of it), it is unique, and a rebuild gives it again.
 */

/**
 * A sequence would have to number more than these in one millisecond for two entries to have the same key. Then nothing
 * fails, but one of them may be missed at the edge of a page.
 */
export const SORT_KEYS_PER_KIND = 65_536
/** So many kinds have a place in one millisecond; more would take other cursors. */
export const MAX_KINDS = 8
export const SORT_KEYS_PER_MS = MAX_KINDS * SORT_KEYS_PER_KIND

/** What the database's numbers end at: the years -588 and 2527, between which every entry lies. */
const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

const numberAt = (ms: number): bigint => {
  const number = BigInt(ms) * BigInt(SORT_KEYS_PER_MS)
  return number < LEAST ? LEAST : number > GREATEST ? GREATEST : number
}

/** The least number that an entry of this instant, or a later one, can have; for far-off years as good as no bound. */
export const sortKeyAt = (instant: Date): bigint => numberAt(instant.getTime())

/** The least number that an entry after this instant can have. */
export const sortKeyAfter = (instant: Date): bigint => numberAt(instant.getTime() + 1)
