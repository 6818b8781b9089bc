/** Curve of a day: little at night, a peak late in the morning and a higher one in the evening; and the moments of arrivals. */

/** Weights of the 24 hours. The busiest hour has a tenth of the day. */
const WEIGHTS = [
  ...[6, 4, 3, 2, 2, 4, 10, 22, 40, 60, 72, 68],
  ...[52, 42, 38, 40, 48, 62, 80, 88, 76, 50, 26, 12],
]
const ALL = WEIGHTS.reduce((sum, weight) => sum + weight, 0)

/** Parts of a day's transactions by hour; they come to 1. */
export const HOUR_SHARES: readonly number[] = WEIGHTS.map(weight => weight / ALL)

/** Part of the busiest hour. */
export const PEAK_SHARE = Math.max(...HOUR_SHARES)

/** A replay of a day. */
export interface Replay {
  /** Transactions of the whole day. */
  readonly count: number
  /** How long the day lasts here. */
  readonly seconds: number
}

/** How long an hour of the day lasts, in milliseconds. */
export const hourMs = ({ seconds }: Replay): number => (seconds * 1_000) / HOUR_SHARES.length

/**
 * Moments of all arrivals in milliseconds from the beginning, in order: by chance within each hour, as those of many clients
 * who know nothing of each other.
 */
export function arrivalsOf(replay: Replay, random: () => number = Math.random): Float64Array {
  const length = hourMs(replay)
  const moments: number[] = []
  for (const [hour, share] of HOUR_SHARES.entries()) {
    const count = Math.round(share * replay.count)
    for (let index = 0; index < count; index++) moments.push((hour + random()) * length)
  }
  return Float64Array.from(moments).sort()
}
