/** Query of a timeline: its arguments, and its filter as conditions on entries. */

import { visibleTo } from '#core/access/visibility.ts'
import { Prisma } from '#core/data/db.ts'
import type { ColumnSet } from '#core/data/sql.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { isByAmount, type Keyset, type PageArgs, parseKeyset } from '#core/paging/keyset.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { checkSearchable, type Decimal } from '#core/values/money.ts'
import { checkReference } from '#core/values/text.ts'
import { type WithMoments, withInstants } from '#core/values/time.ts'
import {
  amountBounds,
  type SelectedEntry,
  sortKeyAfter,
  sortKeyAt,
  type TimelineRow,
  timelineOrder,
} from './entry.ts'

/** Longest name of a channel or merchant in a key, in characters. */
export const NAME_LENGTH = 100

/** Name as entries and sums hold it: on one line, and cut. */
export const heldName = (name: string): string =>
  [...name.replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('')

/** Character of a word, all but the signs at which the database parts words (`activity.words`). */
const WORD = /[^\s!-/:-@[-`{-~،؛؟]/
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

/** True where the filter searches for words. */
const searchesWords = ({ text }: { readonly text?: string | null }): boolean =>
  text != null && WORD.test(text)

/** Condition of words; the database parts the text as it parted those of entries. */
const hasWords = (text: string): Prisma.Sql => Prisma.sql`e.words @@ activity.query(${text})`

/** Condition of words that contain a correlator; the index of words holds it whole (`activity.tokens`), but no empty one. */
const hasToken = (correlator: string): Prisma.Sql => {
  if (correlator === '') return Prisma.sql`FALSE`
  const lexeme = `'${correlator.toLowerCase().replace(/['\\]/g, '$&$&')}'`
  return Prisma.sql`e.words @@ ${lexeme}::tsquery`
}

/** Condition of a request's correlator. */
const hasRequestCorrelator = (correlator: string): Prisma.Sql =>
  Prisma.sql`${hasToken(correlator)} AND e.correlator = ${correlator}`

/** Condition of a correlator that is the request's or the client's own. */
export const hasCorrelator = (correlator: string): Prisma.Sql =>
  Prisma.sql`${hasToken(correlator)} AND (e.correlator = ${correlator} OR e.client_correlator_id = ${correlator})`

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

/** Outcomes of most transactions; the others have an index. */
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

const isOfMerchants = ({ merchants }: TimelineFilter): Conditions =>
  given(merchants, names => Prisma.sql`e.merchant = ANY (${names.map(heldName)}::text[])`)

const isOfChannel = ({ channels }: TimelineFilter): Conditions =>
  given(channels, names => Prisma.sql`e.channel = ANY (${names.map(heldName)}::text[])`)

const endedFor = ({ reasons }: TimelineFilter): Conditions =>
  given(reasons, texts => Prisma.sql`e.reason = ANY (${texts}::text[])`)

const isOfCustomer = ({ customers }: TimelineFilter): Conditions =>
  given(customers, numbers => Prisma.sql`e.account_number = ANY (${numbers}::text[])`)

/** Lists that no index has together with the order. */
const isOfLists = (filter: TimelineFilter): Conditions => [
  ...isOfMerchants(filter),
  ...isOfChannel(filter),
  ...endedFor(filter),
  ...isOfCustomer(filter),
]

const isOfKind = ({ kinds }: TimelineFilter): Conditions =>
  given(kinds, names => Prisma.sql`e.kind = ANY (${names}::text[])`)

const isWithin = ({ from, to }: TimelineFilter): Conditions => [
  ...given(from, instant => Prisma.sql`e.sort >= ${sortKeyAt(instant)}::bigint`),
  ...given(to, instant => Prisma.sql`e.sort < ${sortKeyAfter(instant)}::bigint`),
]

const isOfAmount = ({ minAmount, maxAmount }: TimelineFilter): Conditions =>
  amountBounds(minAmount ?? null, maxAmount ?? null)

const says = (filter: TimelineFilter): Conditions => [
  ...given(filter.correlator, hasRequestCorrelator),
  ...(searchesWords(filter) ? [hasWords(filter.text!)] : []),
]

const all = (conditions: Conditions): Prisma.Sql => Prisma.join([Prisma.sql`TRUE`, ...conditions], ' AND ')

/** Words of channels as a query for the index of words, as SQL. */
const wordsOfChannels = (channels: readonly string[]): Prisma.Sql => {
  const quoted = Prisma.raw(String.raw`'''' || replace(replace(word, '\', '\\'), '''', '''''') || ''''`)
  return Prisma.sql`
    (SELECT string_agg('(' || w.words || ')', ' | ')::tsquery FROM unnest(${channels}::text[]) c,
      LATERAL (SELECT string_agg(${quoted}, ' & ') AS words FROM unnest(activity.words(c)) word) w)`
}

/**
 * Condition that leads to rare channels: their words are among those that entries are searched by, which have an index. A
 * channel without a word has none there, and no condition.
 */
const hasChannelWords = ({ channels }: TimelineFilter): Conditions =>
  channels?.every(name => WORD.test(name))
    ? [Prisma.sql`e.words @@ ${wordsOfChannels(channels.map(heldName))}`]
    : []

/** Conditions of a page: the client's visibility, then the filter. */
export const timelineConditions = (clientId: string | undefined, filter: TimelineFilter): Prisma.Sql =>
  all([
    ...isOfClient(clientId, filter),
    ...isOfMerchant(filter),
    ...isOfLists(filter),
    ...hasChannelWords(filter),
    ...isOfKind(filter),
    ...given(filter.outcomes, hasOutcome),
    ...isWithin(filter),
    ...isOfAmount(filter),
    ...says(filter),
  ])

/** Conditions of a page in two parts. */
export interface SplitConditions {
  /** Conditions on the leading columns of an index that ends with the order's number. */
  readonly indexed: Prisma.Sql
  /** Conditions for which the entries of such a range have to be searched; undefined where there are none. */
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
  const rest = [
    ...looked,
    ...isOfKind(filter),
    ...isOfLists(filter),
    ...given(filter.outcomes, hasOutcome),
    ...says(filter),
  ]
  return { indexed: all(indexed), rest: rest.length === 0 ? undefined : all(rest) }
}

/** Conditions on sums, where a page can be counted by them; else undefined. */
export const sumConditionsOf = (
  clientId: string | undefined,
  filter: TimelineFilter,
): Prisma.Sql | undefined =>
  isWithin(filter).length + isOfAmount(filter).length + says(filter).length > 0
    ? undefined
    : all([
        ...isOfClient(clientId, filter),
        ...isOfMerchant(filter),
        ...isOfLists(filter),
        ...isOfKind(filter),
        ...given(filter.outcomes, outcomes => Prisma.sql`e.outcome = ANY (${outcomes}::text[])`),
      ])
