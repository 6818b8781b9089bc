/**
 * The one number by which the timeline is ordered: the millisecond of creation, then the kind, then the number in the
 * kind's book. It says the time (so a span of time is a range of it), it is unique, and a rebuild gives it again.
 */

/**
 * A book would have to take more than these in one millisecond for two entries to have the same number. Then nothing
 * fails, but one of them may be missed at the edge of a page.
 */
export const SORTS_PER_KIND = 65_536
export const SORTS_PER_MS = 8 * SORTS_PER_KIND

/** A bigint of the database ends in the year 2527: what lies beyond it, or before 1413, is beyond all entries. */
const inRange = (sort: bigint): bigint => (sort === BigInt.asIntN(64, sort) ? sort : sort < 0n ? FIRST : LAST)
const FIRST = -(2n ** 63n)
const LAST = 2n ** 63n - 1n

const sortOf = (ms: number): bigint => inRange(BigInt(ms) * BigInt(SORTS_PER_MS))

/** The least number that an entry of this instant, or a later one, can have. */
export const sortAt = (instant: Date): bigint => sortOf(instant.getTime())

/** The least number that an entry after this instant can have. */
export const sortAfter = (instant: Date): bigint => sortOf(instant.getTime() + 1)
