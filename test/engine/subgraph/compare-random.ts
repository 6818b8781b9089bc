/**
 * Compares both ways of executing operations by chance, over a schema of hard points and in worlds by chance. Compared
 * is all that anyone can see: the result with the order of its names, each error with its place and its original, and
 * each call of a resolver with all of its arguments, in which turn of microtasks.
 */
import { expect } from 'vitest'
import { bothWays, countUnhandled, hardCase } from './hard-cases.ts'
import { createHardSchema } from './hard-schema.ts'

/** Compares the cases of these seeds; how many of them are compiled. */
export const compareRandom = async (from: number, to: number): Promise<number> => {
  using _ = countUnhandled()
  const schema = createHardSchema()
  let compared = 0
  for (let seed = from; seed < to; seed++) {
    const one = hardCase(schema, seed)
    const { expected, compiled } = await bothWays(schema, one)
    if (!compiled) continue
    expect(compiled, JSON.stringify(one)).toEqual(expected)
    compared += 1
  }
  return compared
}
