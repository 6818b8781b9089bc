/** A check: a statement that must hold for a history, and what contradicts it. */
import { Decimal } from 'decimal.js'
import type { History } from '../history/history.ts'

export interface Check {
  /** A short name that stays, by which reports and tables name it. */
  readonly name: string
  /** The statement. */
  readonly claim: string
  /** Finds what contradicts it: each in one sentence, with the numbers of the calls that show it. */
  find(history: History): Iterable<string>
}

export const group = <T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> =>
  Map.groupBy(items, key)

/** Exact sum of decimal texts. */
export const sum = (texts: Iterable<string | null | undefined>): Decimal => {
  let total = new Decimal(0)
  for (const text of texts) total = total.plus(text ?? 0)
  return total
}

export const same = (one: Decimal.Value, other: Decimal.Value): boolean => new Decimal(one).equals(other)

/** The first repetition in a list. */
export const repeated = <T>(items: readonly T[]): T | undefined => {
  const seen = new Set<T>()
  return items.find(item => seen.has(item) || !seen.add(item))
}
