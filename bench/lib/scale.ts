/** How large a run is: `BENCH_SCALE=0.01` makes a hundredth of it, to see that it works; its figures say nothing. */

export const SCALE = Number(process.env['BENCH_SCALE'] ?? 1)

/** So many, or fewer in a small run, but at least `least`. */
export const scaled = (count: number, least = 1): number => Math.max(least, Math.round(count * SCALE))
