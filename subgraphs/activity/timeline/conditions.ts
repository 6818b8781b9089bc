/** Conditions of a timeline's filter on entries: of a page, in two parts for an index, and on sums. */
import { visibleTo } from '#core/access/visibility.ts'
import { Prisma } from '#core/data/db.ts'
import type { Outcome } from '#core/transactions/kind.ts'
import { amountBounds, sortKeyAfter, sortKeyAt } from './entry.ts'
import { heldName, type TimelineFilter, WORD } from './filter.ts'

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

/** Conditions on sums, whatever the span, where a page can be counted by them; else undefined. */
export const sumConditionsOf = (
  clientId: string | undefined,
  filter: TimelineFilter,
): Prisma.Sql | undefined =>
  isOfAmount(filter).length + says(filter).length > 0
    ? undefined
    : all([
        ...isOfClient(clientId, filter),
        ...isOfMerchant(filter),
        ...isOfLists(filter),
        ...isOfKind(filter),
        ...given(filter.outcomes, outcomes => Prisma.sql`e.outcome = ANY (${outcomes}::text[])`),
      ])
