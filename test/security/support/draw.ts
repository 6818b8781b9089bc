/** Choices of a generated case, drawn from fast-check, so that a seed and a path say the case again. */
import fc, { type GeneratorValue } from 'fast-check'

export interface Draw {
  /** A whole number from 0 up to, and without, `count`. */
  below(count: number): number
  pick<T>(list: readonly T[]): T
  /** True so many times in a hundred. */
  chance(percent: number): boolean
  /** Any text: any code unit may stand in it. */
  text(): string
}

/** Draws from what fast-check gives a property. */
export const createDraw = (gen: GeneratorValue): Draw => {
  const below = (count: number) => gen(fc.nat, { max: count - 1 })
  return {
    below,
    pick: list => list[below(list.length)]!,
    chance: percent => below(100) < percent,
    text: () => gen(fc.string, { unit: 'binary', maxLength: 30 }),
  }
}
