/**
 * Customers by what a person types: the beginning of an account number, beginnings of words of a name, or a line's
 * number. Everything is a range of an index, whatever the directory holds (`directory.search_term`).
 */
import { Prisma, type Statements } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import { type CountedConnection, createCursors, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { findPhone } from '../values/phone.ts'
import { checkReference, isStorable } from '../values/text.ts'
import { type Directory, LINE_KINDS } from './directory.ts'

/** An account that was found. */
export interface FoundAccount {
  readonly accountNumber: string
}

/** An account by the term that it was found by. */
interface AccountOfTerm extends FoundAccount {
  readonly term: string
}

export type FoundAccounts = CountedConnection<FoundAccount>

interface SearchArgs {
  readonly search: string
  readonly first?: number | null
  readonly after?: string | null
}

export interface SearchOptions {
  /** Country code of the operator, for numbers without one. */
  readonly countryCode: string
  /** The only account that may be found; undefined for all. */
  readonly within?: string
}

/** Least length of a word: a shorter one begins too many names for a person to find theirs among them. */
const SHORTEST = /[\p{L}\p{M}\p{N}]{3}/u
const MAX_TEXT = 64
const MAX_WORDS = 10
/** Number of terms beyond which a word counts as common; of two words the rarer one is looked up. */
const RARE = 1_000
/** Last character that there is: a word and all that follow it sort before the word with this appended. */
const LAST = '\u{10FFFF}'
/** Characters that people write between the digits of a number. */
const SEPARATORS = /[\s().-]/g

const checkSearch = (search: string): void => {
  checkReference('search', search)
  if (search.length > MAX_TEXT)
    throw invalidField('search', 'TOO_LONG', `must not be longer than ${MAX_TEXT} characters`)
  if (!SHORTEST.test(search))
    throw invalidField('search', 'TOO_SHORT', 'must have a word of at least 3 letters or digits')
}

const beginsWith = (word: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`t.term >= ${word} COLLATE "C" AND t.term < (${word} || ${LAST}) COLLATE "C"`

/** The words of a search as the terms have them, the rarest first. @throws ServiceError for too many. */
const wordsOf = async (db: Statements, search: string): Promise<string[]> => {
  const rows = await db.$queryRaw<{ word: string }[]>`
    SELECT word FROM unnest(activity.words(${search})) AS word, LATERAL (
      SELECT count(*) AS found FROM (
        SELECT FROM directory.search_term t WHERE ${beginsWith(Prisma.raw('word'))} LIMIT ${RARE}) probed) rarity
    ORDER BY found, length(word) DESC, word`
  if (rows.length > MAX_WORDS)
    throw invalidField('search', 'TOO_MANY', `must not have more than ${MAX_WORDS} words`)
  return rows.map(({ word }) => word)
}

/** The accounts of the lines that have the text as their number. */
const accountsOfLine = async (directory: Directory, search: string, countryCode: string) => {
  const text = search.trim()
  const number = findPhone(text.replaceAll(SEPARATORS, ''), countryCode)
  const lines = await Promise.all(
    LINE_KINDS.map(kind => {
      const wanted = kind === 'internetAccount' ? text : number
      return wanted === undefined ? undefined : directory.line(kind, wanted)
    }),
  )
  return [...new Set(lines.flatMap(line => line?.accountNumber ?? []))]
}

/** The terms to search: all, or those of one account, which then need not be looked for among the others. */
const termsIn = (within: string | undefined): Prisma.Sql =>
  within === undefined
    ? Prisma.sql`directory.search_term t`
    : Prisma.sql`(SELECT (s.term) COLLATE "C" AS term, s.words
        FROM directory.account a, directory.search_terms(a.account_number, a.customer_name) s
        WHERE a.account_number = ${within}) t`

/** Word of a term, which is a word and an account number. */
const WORD = Prisma.raw(`split_part(t.term, ' ', 1)`)
const ACCOUNT = Prisma.raw(`substr(t.term, position(' ' in t.term) + 1)`)

/**
 * The terms that begin with the leading word, of accounts that have the other words too. An account two of whose words
 * begin so is found by the first: `words` has them in the sequence of the terms.
 */
const matching = ([leading, ...others]: readonly string[]): Prisma.Sql => {
  const first = Prisma.sql`split_part(substr(t.words, position(' ' || ${leading} in t.words) + 1), ' ', 1)`
  return Prisma.join(
    [
      beginsWith(Prisma.sql`${leading}`),
      // The database thinks an equation holds for hardly any row, and would read and sort all; this it takes for likely.
      Prisma.sql`CASE WHEN ${WORD} = ${first} THEN TRUE ELSE FALSE END`,
      ...others.map(word => Prisma.sql`position(' ' || ${word} in t.words) > 0`),
    ],
    ' AND ',
  )
}

/** Rows of the accounts of lines, which come before all others: a space sorts before every word. */
const ofLines = (accounts: readonly string[]): Prisma.Sql => Prisma.sql`
  SELECT (' ' || number) COLLATE "C" AS term FROM unnest(${accounts}::text[]) AS number`

/** Statement of the search; the words are searched on their own where no line was found, as a page of the index. */
const foundIn = (lines: readonly string[], words: readonly string[], within?: string): Prisma.Sql => {
  const ofWords = Prisma.sql`SELECT t.term FROM ${termsIn(within)} WHERE ${matching(words)}`
  if (lines.length === 0) return Prisma.sql`(${ofWords}) t`
  return Prisma.sql`(${ofLines(lines)} UNION ALL ${ofWords} AND ${ACCOUNT} <> ALL (${lines}::text[])) t`
}

/**
 * Position of an account in a search: a cursor names the leading word too, since another may be the rarest by the next
 * page.
 */
type Place = readonly [leading: string, term: string]

const cursorsOf = (words: readonly string[]) =>
  createCursors<Place>('c1:', {
    write: place => JSON.stringify(place),
    read(text) {
      try {
        const [leading, term] = JSON.parse(text)
        return words.includes(leading) && typeof term === 'string' && isStorable(term)
          ? [leading, term]
          : undefined
      } catch {
        return undefined
      }
    },
    refusal: 'must be a cursor from an earlier answer of the same search, unchanged',
  })

/** Makes the statement of the numbers of all accounts that a search finds. @throws ServiceError as the search does. */
export const accountsFound = async (
  db: Statements,
  directory: Directory,
  search: string,
  countryCode: string,
): Promise<Prisma.Sql> => {
  checkSearch(search)
  const words = await wordsOf(db, search)
  const lines = await accountsOfLine(directory, search, countryCode)
  return Prisma.sql`SELECT ${ACCOUNT} FROM ${foundIn(lines, words)}`
}

/** Makes the search of a directory. */
export const createSearch =
  (db: Statements, directory: Directory) =>
  /**
   * Reads a page of accounts: those of the line that is named, then by the words they are found by.
   * @throws ServiceError INVALID_ARGUMENT for a search too short or too long, a size out of range, or a foreign cursor.
   */
  async (
    { search, first, after }: SearchArgs,
    { countryCode, within }: SearchOptions,
  ): Promise<FoundAccounts> => {
    checkSearch(search)
    const words = await wordsOf(db, search)
    const cursors = cursorsOf(words)
    const [leading, term] = after == null ? [words[0]!] : cursors.from('after', after)
    const lines = await accountsOfLine(directory, search, countryCode)
    const visible = lines.filter(number => within === undefined || number === within)
    return readKeysetPage<AccountOfTerm>(db, {
      columns: Prisma.sql`t.term, ${ACCOUNT} AS "accountNumber"`,
      from: foundIn(visible, [leading, ...words.filter(word => word !== leading)], within),
      where: Prisma.sql`TRUE`,
      number: Prisma.raw('t.term'),
      keyset: parsePageArgs({ first, after: term, orderBy: 'OLDEST_FIRST' }, (_, cursor) => cursor),
      cursorOf: row => cursors.to([leading, row.term]),
    })
  }
