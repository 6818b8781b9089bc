/** Query parameters of the partner tools, each read by its name. */
import { invalidField } from '#core/errors/catalogue.ts'
import type { PageArgs } from '#core/paging/keyset.ts'
import { isId } from '#core/values/id.ts'
import { MUST_BE_UTF8, type Query, shown } from '#core/values/text.ts'
import { CalendarDay, isDateTime, type Moment, parseIsoDate } from '#core/values/time.ts'

/** The text of a parameter; undefined where it is absent or empty. @throws ServiceError INVALID_ARGUMENT for several. */
export function textParameter(query: Query, name: string): string | undefined {
  const value = query[name]
  if (Array.isArray(value)) throw invalidField(name, 'TOO_MANY', 'must be given once')
  if (typeof value === 'symbol') throw invalidField(name, 'BAD_FORMAT', MUST_BE_UTF8)
  return (value as string | undefined) || undefined
}

/** An id of a transaction. @throws ServiceError INVALID_ARGUMENT. */
export function transactionIdOf(query: Query, name: string): string | undefined {
  const text = textParameter(query, name)
  if (text === undefined || isId(text)) return text
  throw invalidField(name, 'BAD_FORMAT', 'must be an id of a transaction')
}

/** A whole number within bounds. @throws ServiceError INVALID_ARGUMENT. */
export function wholeOf(
  query: Query,
  name: string,
  [min, max]: readonly [number, number],
): number | undefined {
  const text = textParameter(query, name)
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw invalidField(name, 'OUT_OF_RANGE', `must be a whole number from ${min} to ${max}`, {
    limit: { min, max },
  })
}

const checkWord = <Word extends string>(name: string, text: string, words: readonly Word[]): Word => {
  const word = words.find(one => one === text)
  if (word !== undefined) return word
  throw invalidField(name, 'UNKNOWN_VALUE', `must be one of ${words.join(', ')}, not ${shown(text)}`, {
    limit: { allowed: words },
  })
}

/** One of several words. @throws ServiceError INVALID_ARGUMENT for another. */
export function wordOf<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = textParameter(query, name)
  return text === undefined ? undefined : checkWord(name, text, words)
}

/** Words that commas separate. @throws ServiceError INVALID_ARGUMENT for one that is not among them. */
export function wordList<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
): Word[] | undefined {
  const text = textParameter(query, name)
  if (text === undefined) return undefined
  return [...new Set(text.split(','))].map(one => checkWord(name, one.trim(), words))
}

/** `true` or `false`. @throws ServiceError INVALID_ARGUMENT. */
export function flagOf(query: Query, name: string): boolean | undefined {
  const word = wordOf(query, name, ['true', 'false'])
  return word === undefined ? undefined : word === 'true'
}

/** An instant, or a day of the operator's. @throws ServiceError INVALID_ARGUMENT. */
function momentOf(query: Query, name: string, timezone: string): Moment | undefined {
  const text = textParameter(query, name)
  if (text === undefined) return undefined
  const day = parseIsoDate(text)
  if (day !== undefined) return new CalendarDay(day, timezone)
  if (isDateTime(text)) return new Date(text)
  throw invalidField(name, 'BAD_FORMAT', 'must be a day, such as 2026-11-24, or a date-time with an offset')
}

/** The span of a list. */
export const spanParameters = (query: Query, timezone: string) => ({
  from: momentOf(query, 'from', timezone),
  to: momentOf(query, 'to', timezone),
})

const ORDERS = { desc: 'NEWEST_FIRST', asc: 'OLDEST_FIRST' } as const
const MOST = 200
const DEFAULT_LIMIT = 50

/** Items of a page. */
export const limitOf = (query: Query): number => wholeOf(query, 'limit', [1, MOST]) ?? DEFAULT_LIMIT

/** The page of a list, the newest first unless it is asked for otherwise. */
export const pageOf = (query: Query): PageArgs => ({
  first: limitOf(query),
  after: textParameter(query, 'after') ?? null,
  orderBy: ORDERS[wordOf(query, 'order', ['desc', 'asc']) ?? 'desc'],
})
