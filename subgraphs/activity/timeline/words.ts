/** What a timeline is searched for: the beginnings of words and of correlators, and a correlator as it is. */
import { Prisma } from '#core/data/db.ts'
import { invalidField } from '#core/errors/catalogue.ts'

/** Anything but the signs at which the database parts words (`activity.words`). */
const WORD = /[^\s!-/:-@[-`{-~،؛؟]/
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~،؛؟]+/

/** What the database may have to look for, which it does for each word: a search of a person has three or four. */
const MAX_TEXT = 256
const MAX_WORDS = 10

/** Of more words than a search may have, a part between blanks is sought whole alone (`activity.query`). */
const wordsIn = (part: string): number => {
  const words = part.split(BETWEEN_WORDS).filter(Boolean).length
  return words > MAX_WORDS ? 1 : words
}

/** @param path where the text was given. @throws ServiceError INVALID_ARGUMENT for too many words, or too long a text. */
export const checkText = (path: string, text: string): void => {
  if (text.length > MAX_TEXT)
    throw invalidField(path, 'TOO_LONG', `must not be longer than ${MAX_TEXT} characters`)
  const words = text.split(/\s+/).reduce((sum, part) => sum + wordsIn(part), 0)
  if (words > MAX_WORDS) throw invalidField(path, 'TOO_MANY', `must not have more than ${MAX_WORDS} words`)
}

/** Whether words are searched for. */
export const searchesWords = ({ text }: { readonly text?: string | null }): boolean =>
  text != null && WORD.test(text)

/** The text is parted by the functions that parted those of the entries. */
export const hasWords = (text: string): Prisma.Sql => Prisma.sql`e.words @@ activity.query(${text})`

/** A correlator is found by the index of words, where it stands whole (`activity.tokens`). */
export const hasCorrelator = (correlator: string): Prisma.Sql => {
  const lexeme = `'${correlator.toLowerCase().replace(/['\\]/g, '$&$&')}'`
  return Prisma.sql`e.words @@ ${lexeme}::tsquery AND e.correlator = ${correlator}`
}
