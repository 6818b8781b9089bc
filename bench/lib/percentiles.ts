/** How long most waited. */

/** In the unit of what was measured. */
export interface Percentiles {
  readonly p50: number
  readonly p99: number
}

/** NaN when nothing was measured. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { p50: at(0.5), p99: at(0.99) }
}
