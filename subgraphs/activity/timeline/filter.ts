/** What a timeline can be narrowed to, as conditions on its entries. */
import { visibleTo } from '../../shared/access/visible-to.ts'
import { Prisma } from '../../shared/data/db.ts'
import { invalid } from '../../shared/errors/catalogue.ts'
import type { Outcome } from '../../shared/transactions/kind.ts'
import type { Decimal } from '../../shared/values/decimal.ts'
import { checkSearchable } from '../../shared/values/money.ts'
import { checkReference } from '../../shared/values/text.ts'
import { sortKeyAfter, sortKeyAt } from './sort-key.ts'

/** The graph's `TimelineFilter`; times are inclusive. */
export interface TimelineFilter {
  readonly kinds?: readonly string[] | null
  readonly outcomes?: readonly Outcome[] | null
  readonly from?: Date | null
  readonly to?: Date | null
  readonly minAmount?: Decimal | null
  readonly postedBy?: string | null
  readonly text?: string | null
}

/**
 * The filter, once it is known that the database can be asked for it.
 * @throws ServiceError INVALID_ARGUMENT naming the field that cannot be.
 */
export const checkFilter = (filter: TimelineFilter): TimelineFilter => {
  for (const name of ['postedBy', 'text'] as const)
    if (filter[name] != null) checkReference(`filter.${name}`, filter[name])
  if (filter.minAmount != null) checkSearchable('filter.minAmount', filter.minAmount)
  return filter
}

/** Anything but the signs at which the database parts words (`activity.words`). */
const WORD = /[^\s!-/:-@[-`{-~،؛؟]/

/** The words are parted by the function that parted those of the entries; what is left of them needs no quoting. */
const hasWords = (text: string) => Prisma.sql`e.words @@ (
  SELECT string_agg('''' || word || ''':*', ' & ') FROM unnest(activity.words(${text})) AS word)::tsquery`

/** What the database may have to look for, which it does for each word: a search of a person has three or four. */
const MAX_TEXT = 256
const MAX_WORDS = 10
const BETWEEN_WORDS = /[\s!-/:-@[-`{-~،؛؟]+/

const checkText = (text: string): void => {
  if (text.length > MAX_TEXT) throw invalid(`filter.text must not be longer than ${MAX_TEXT} characters`)
  if (text.split(BETWEEN_WORDS).filter(Boolean).length > MAX_WORDS)
    throw invalid(`filter.text must not have more than ${MAX_WORDS} words`)
}

/** Whether words are searched for. @throws ServiceError INVALID_ARGUMENT for too many, or too long a text. */
export const searchesWords = ({ text }: TimelineFilter): boolean => {
  if (text == null) return false
  checkText(text)
  return WORD.test(text)
}

/** What sums by day tell apart too. */
const commonConditions = (clientId: string | undefined, { kinds, outcomes, postedBy }: TimelineFilter) => [
  visibleTo({ clientId }, 'e'),
  ...(postedBy == null ? [] : [Prisma.sql`e.client_id = ${postedBy}`]),
  ...(kinds == null ? [] : [Prisma.sql`e.kind = ANY (${kinds}::text[])`]),
  ...(outcomes == null ? [] : [Prisma.sql`e.outcome = ANY (${outcomes}::text[])`]),
]

const entryConditions = (filter: TimelineFilter) => {
  const { from, to, minAmount, text } = filter
  return [
    ...(from == null ? [] : [Prisma.sql`e.sort >= ${sortKeyAt(from)}::bigint`]),
    ...(to == null ? [] : [Prisma.sql`e.sort < ${sortKeyAfter(to)}::bigint`]),
    ...(minAmount == null ? [] : [Prisma.sql`e.amount >= ${minAmount.toString()}::numeric`]),
    ...(searchesWords(filter) ? [hasWords(text!)] : []),
  ]
}

const all = (conditions: Prisma.Sql[]) => Prisma.join([Prisma.sql`TRUE`, ...conditions], ' AND ')

/** The conditions: first who may see, then what is asked for. */
export const conditionsOf = (clientId: string | undefined, filter: TimelineFilter): Prisma.Sql =>
  all([...commonConditions(clientId, filter), ...entryConditions(filter)])

/** The conditions on sums, when what is asked for can be counted from them; else undefined. */
export const sumConditionsOf = (
  clientId: string | undefined,
  filter: TimelineFilter,
): Prisma.Sql | undefined =>
  entryConditions(filter).length > 0 ? undefined : all(commonConditions(clientId, filter))
