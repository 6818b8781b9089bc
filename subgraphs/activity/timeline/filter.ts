/** Filter of a timeline, as conditions on its entries. */

import { visibleTo } from '#core/access/visibility.ts'
import { Prisma } from '#core/data/db.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import type { Decimal } from '#core/values/decimal.ts'
import { checkSearchable } from '#core/values/money.ts'
import { checkReference } from '#core/values/text.ts'
import { amountBounds, sortKeyAfter, sortKeyAt } from './order.ts'

/** In characters; longer ones would not fit the keys. */
export const NAME_LENGTH = 100

/** A name as it is held: on one line, and cut. */
export const heldName = (name: string): string =>
  [...name.replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('')

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
const checkText = (path: string, text: string): void => {
  if (text.length > MAX_TEXT)
    throw invalidField(path, 'TOO_LONG', `must not be longer than ${MAX_TEXT} characters`)
  const words = text.split(/\s+/).reduce((sum, part) => sum + wordsIn(part), 0)
  if (words > MAX_WORDS) throw invalidField(path, 'TOO_MANY', `must not have more than ${MAX_WORDS} words`)
}

/** Whether words are searched for. */
const searchesWords = ({ text }: { readonly text?: string | null }): boolean =>
  text != null && WORD.test(text)

/** The text is parted by the functions that parted those of the entries. */
const hasWords = (text: string): Prisma.Sql => Prisma.sql`e.words @@ activity.query(${text})`

/** A correlator is found by the index of words, where it stands whole (`activity.tokens`). */
const hasCorrelator = (correlator: string): Prisma.Sql => {
  const lexeme = `'${correlator.toLowerCase().replace(/['\\]/g, '$&$&')}'`
  return Prisma.sql`e.words @@ ${lexeme}::tsquery AND e.correlator = ${correlator}`
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
  readonly correlator?: string | null
  readonly text?: string | null
}

const TEXTS = ['postedBy', 'merchant', 'correlator', 'text'] as const
const AMOUNTS = ['minAmount', 'maxAmount'] as const

/**
 * The filter, once it is known that the database can be asked for it.
 * @param place before the names of its fields: where the filter stands in what was asked.
 * @throws ServiceError INVALID_ARGUMENT naming the field that cannot be.
 */
export const checkFilter = (filter: TimelineFilter, place: string): TimelineFilter => {
  for (const name of TEXTS) if (filter[name] != null) checkReference(place + name, filter[name])
  for (const name of AMOUNTS) if (filter[name] != null) checkSearchable(place + name, filter[name])
  if (filter.text != null) checkText(`${place}text`, filter.text)
  return filter
}

/** Most transactions come to these; by the others there is an index. */
const USUAL: readonly Outcome[] = ['PENDING', 'COMPLETED']

const hasOutcome = (outcomes: readonly Outcome[]): Prisma.Sql =>
  outcomes.some(outcome => USUAL.includes(outcome))
    ? Prisma.sql`e.outcome = ANY (${outcomes}::text[])`
    : Prisma.sql`e.exception = ANY (${outcomes}::text[])`

type Conditions = readonly Prisma.Sql[]

const given = <T>(value: T | null | undefined, toCondition: (value: T) => Prisma.Sql): Conditions =>
  value == null ? [] : [toCondition(value)]

const isOfClient = (clientId: string | undefined, { postedBy }: TimelineFilter): Conditions => [
  ...(clientId === undefined ? [] : [visibleTo({ clientId }, 'e')]),
  ...given(postedBy, client => Prisma.sql`e.client_id = ${client}`),
]

const isOfMerchant = ({ merchant }: TimelineFilter): Conditions =>
  given(merchant, name => Prisma.sql`e.merchant = ${heldName(name)}`)

const isOfKind = ({ kinds }: TimelineFilter): Conditions =>
  given(kinds, names => Prisma.sql`e.kind = ANY (${names}::text[])`)

const isWithin = ({ from, to }: TimelineFilter): Conditions => [
  ...given(from, instant => Prisma.sql`e.sort >= ${sortKeyAt(instant)}::bigint`),
  ...given(to, instant => Prisma.sql`e.sort < ${sortKeyAfter(instant)}::bigint`),
]

const isOfAmount = ({ minAmount, maxAmount }: TimelineFilter): Conditions =>
  amountBounds(minAmount ?? null, maxAmount ?? null)

const says = (filter: TimelineFilter): Conditions => [
  ...given(filter.correlator, hasCorrelator),
  ...(searchesWords(filter) ? [hasWords(filter.text!)] : []),
]

const all = (conditions: Conditions): Prisma.Sql => Prisma.join([Prisma.sql`TRUE`, ...conditions], ' AND ')

/** The conditions: first who may see, then what is asked for. */
export const conditionsOf = (clientId: string | undefined, filter: TimelineFilter): Prisma.Sql =>
  all([
    ...isOfClient(clientId, filter),
    ...isOfMerchant(filter),
    ...isOfKind(filter),
    ...given(filter.outcomes, hasOutcome),
    ...isWithin(filter),
    ...isOfAmount(filter),
    ...says(filter),
  ])

/** The same in two parts. */
export interface SplitConditions {
  /** What an index that ends with the order's number begins with, or bounds. */
  readonly indexed: Prisma.Sql
  /** For what the entries of such a range have to be looked through; undefined when it is nothing. */
  readonly rest: Prisma.Sql | undefined
}

const byTime = (clientId: string | undefined, filter: TimelineFilter): readonly Conditions[] => {
  const [client, merchant] = [isOfClient(clientId, filter), isOfMerchant(filter)]
  const [first, second] = client.length > 0 ? [client, merchant] : [merchant, client]
  return [
    [...first, ...isWithin(filter)],
    [...second, ...isOfAmount(filter)],
  ]
}

const byAmount = (clientId: string | undefined, filter: TimelineFilter): readonly Conditions[] => [
  isOfAmount(filter),
  [...isOfClient(clientId, filter), ...isOfMerchant(filter), ...isWithin(filter)],
]

/** Parts the conditions for a page in the order of time, or of amount. */
export const splitConditions = (
  clientId: string | undefined,
  filter: TimelineFilter,
  inOrderOfAmount: boolean,
): SplitConditions => {
  const [indexed, looked] = (inOrderOfAmount ? byAmount : byTime)(clientId, filter) as [
    Conditions,
    Conditions,
  ]
  const rest = [...looked, ...isOfKind(filter), ...given(filter.outcomes, hasOutcome), ...says(filter)]
  return { indexed: all(indexed), rest: rest.length === 0 ? undefined : all(rest) }
}

/** The conditions on sums, when what is asked for can be counted from them; else undefined. */
export const sumConditionsOf = (
  clientId: string | undefined,
  filter: TimelineFilter,
): Prisma.Sql | undefined =>
  isWithin(filter).length + isOfAmount(filter).length + says(filter).length > 0
    ? undefined
    : all([
        ...isOfClient(clientId, filter),
        ...isOfMerchant(filter),
        ...isOfKind(filter),
        ...given(filter.outcomes, outcomes => Prisma.sql`e.outcome = ANY (${outcomes}::text[])`),
      ])
