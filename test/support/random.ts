/** Random choices that can be repeated: all of them follow from a seed. */
import { seeded } from '#test/core/values/random.ts'

export interface Random {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number
  /** Decides whether something of this probability happens. */
  chance(probability: number): boolean
  /** Chooses one element; the list must have one. */
  pick<T>(from: readonly T[]): T
}

/** Hashes a text by FNV-1a in 32 bits. A final mix makes the hashes of similar texts differ widely. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (value ^ (value >>> 16)) >>> 0
}

export function createRandom(seed: number | string): Random {
  const below = seeded(typeof seed === 'string' ? hash(seed) : seed)
  return {
    below,
    chance: probability => below(1_000_000) < probability * 1_000_000,
    pick: from => from[below(from.length)]!,
  }
}
