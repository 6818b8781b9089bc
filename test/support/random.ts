/** Chance that can be repeated: everything that is chosen follows from a seed. */
import { seeded } from '#test/core/values/random.ts'

export interface Random {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number
  /** Whether something of this probability happens. */
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** FNV-1a, 32 bits, with a final mix: texts that are alike come out unlike. */
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
