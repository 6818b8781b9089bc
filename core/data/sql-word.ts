/** Words of the code that stand in SQL as they are, where a parameter would not do: a partial index is found by its word alone. */
import { Prisma } from './db.ts'

const WORD = /^[A-Za-z]{1,32}$/

/**
 * A status or the like as a literal. Words come from the code; anything that a request could have sent into it fails.
 * @throws Error when it is no plain word.
 */
export function sqlWord(word: string): Prisma.Sql {
  if (!WORD.test(word)) throw new Error('Only a plain word can be a literal in SQL')
  return Prisma.raw(`'${word}'`)
}
