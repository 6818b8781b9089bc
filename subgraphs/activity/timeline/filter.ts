/** Query of a timeline: its arguments with its filter, checked so that the database can execute them. */

import type { ColumnSet } from '#core/data/sql.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { isByAmount, type Keyset, type PageArgs, parseKeyset } from '#core/paging/keyset.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { checkSearchable, type Decimal } from '#core/values/money.ts'
import { checkReference } from '#core/values/text.ts'
import { type WithMoments, withInstants } from '#core/values/time.ts'
import { type SelectedEntry, type TimelineRow, timelineOrder } from './entry.ts'

/** Longest name of a channel or merchant in a key, in characters. */
export const NAME_LENGTH = 100

/** Name as entries and sums hold it: on one line, and cut. */
export const heldName = (name: string): string =>
  [...name.replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('')

/** Character of a word, all but the signs at which the database parts words (`activity.words`). */
export const WORD = /[^\s!-/:-@[-`{-~،؛؟]/
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~،؛؟]+/

/** Limits of a searched text, in characters and words: the database searches each word; usual texts have three or four. */
const MAX_TEXT = 256
const MAX_WORDS = 10

/** Number of words in a part between blanks; one with too many words is searched as a whole (`activity.query`). */
const wordsIn = (part: string): number => {
  const words = part.split(BETWEEN_WORDS).filter(Boolean).length
  return words > MAX_WORDS ? 1 : words
}

/** Checks a searched text. @param path its place in the request. @throws ServiceError INVALID_ARGUMENT for a text too long. */
const checkText = (path: string, text: string): void => {
  if (text.length > MAX_TEXT)
    throw invalidField(path, 'TOO_LONG', `must not be longer than ${MAX_TEXT} characters`)
  const words = text.split(/\s+/).reduce((sum, part) => sum + wordsIn(part), 0)
  if (words > MAX_WORDS) throw invalidField(path, 'TOO_MANY', `must not have more than ${MAX_WORDS} words`)
}

/** The graph's `TimelineFilter`; times are inclusive. */
export interface TimelineFilter {
  readonly kinds?: readonly string[] | null
  readonly outcomes?: readonly Outcome[] | null
  readonly from?: Date | null
  readonly to?: Date | null
  readonly minAmount?: Decimal | null
  readonly maxAmount?: Decimal | null
  readonly postedBy?: string | null
  readonly merchant?: string | null
  readonly merchants?: readonly string[] | null
  readonly channels?: readonly string[] | null
  readonly reasons?: readonly string[] | null
  /** Account numbers. */
  readonly customers?: readonly string[] | null
  readonly correlator?: string | null
  readonly text?: string | null
}

/** Most items of a list in a filter. */
const MOST_ITEMS = 200

/** Checks a list of names. @throws ServiceError INVALID_ARGUMENT for too many, and for a name that the database cannot hold. */
export const checkList = (path: string, names: readonly string[]): void => {
  if (names.length > MOST_ITEMS) throw invalidField(path, 'TOO_MANY', `must have at most ${MOST_ITEMS} items`)
  for (const name of names) checkReference(path, name)
}

const LISTS = ['merchants', 'channels', 'reasons', 'customers'] as const
const TEXTS = ['postedBy', 'merchant', 'correlator', 'text'] as const
const AMOUNTS = ['minAmount', 'maxAmount'] as const

/**
 * Checks that the database can execute a filter, and returns it.
 * @param place prefix of the filter's fields in errors.
 * @throws ServiceError INVALID_ARGUMENT naming the field that is wrong.
 */
const checkFilter = (filter: TimelineFilter, place: string): TimelineFilter => {
  for (const name of TEXTS) if (filter[name] != null) checkReference(place + name, filter[name])
  for (const name of LISTS) if (filter[name] != null) checkList(place + name, filter[name])
  for (const name of AMOUNTS) if (filter[name] != null) checkSearchable(place + name, filter[name])
  if (filter.text != null) checkText(`${place}text`, filter.text)
  return filter
}

export interface TimelineQuery<Row extends SelectedEntry = TimelineRow> {
  /** Columns that are read; all where absent. */
  readonly columns?: ColumnSet<keyof Row & keyof TimelineRow>
  /** Only client whose entries may be seen; undefined for all. */
  readonly clientId: string | undefined
  readonly filter: TimelineFilter
  /** True for the order of amount, false for that of time. */
  readonly byAmount: boolean
  readonly keyset: Keyset
}

export interface TimelineArgs extends PageArgs {
  readonly filter?: WithMoments<TimelineFilter> | null
}

/**
 * Reads the arguments of a page.
 * @param clientId only client whose entries may be seen; undefined for all.
 * @param place prefix of the filter's fields in errors.
 * @throws ServiceError INVALID_ARGUMENT naming the argument that is wrong.
 */
export const timelineQuery = (
  clientId: string | undefined,
  { filter, ...page }: TimelineArgs,
  place = 'filter.',
): TimelineQuery => {
  const byAmount = isByAmount(page.orderBy)
  return {
    clientId,
    filter: checkFilter(withInstants(filter ?? {}), place),
    byAmount,
    keyset: parseKeyset(page, timelineOrder(byAmount).cursors.from),
  }
}
