/** Two or more sides doing the same work, measured in turns, so that whatever else the machine does meets all. */
import { load } from './load.ts'
import type { LoadJob } from './load-process.ts'

export type Side = Omit<LoadJob, 'connections' | 'seconds'>

export interface Plan {
  readonly connections: number
  readonly seconds: number
  /** How many turns each side gets. */
  readonly turns: number
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Requests per second of each side, in the sides' sequence: the medians of their turns, after a turn to warm up. */
export async function compare(sides: readonly Side[], plan: Plan): Promise<number[]> {
  const measured = sides.map((): number[] => [])
  for (let turn = -1; turn < plan.turns; turn += 1) {
    for (const [index, side] of sides.entries()) {
      const { perSecond } = await load({ ...side, ...plan })
      if (turn >= 0) measured[index]!.push(perSecond)
    }
  }
  return measured.map(median)
}
