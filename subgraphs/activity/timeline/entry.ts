/**
 * Entries of a timeline with their descriptions, and their orders: by time or by amount, each by one number that is unique and has
 * an index.
 *
 * The sort key is the number for time: the millisecond of creation, then the kind, then the number in the kind's sequence. A
 * span of time is a range of it, and a rebuild gives it again.
 */
import { Prisma } from '#core/data/db.ts'
import { type ColumnSet, createColumnSets } from '#core/data/sql.ts'
import { type Cursors, createNumberCursors } from '#core/paging/keyset.ts'
import type { Outcome, TransactionKind } from '#core/transactions/kind.ts'
import { currencyDecimals, Decimal, toDecimal } from '#core/values/money.ts'
import { showPhone } from '#core/values/phone.ts'

/**
 * Keys of one kind in one millisecond. If a sequence gave more numbers in a millisecond, two entries would have the same key:
 * nothing would fail, but a page might miss one of them at its edge.
 */
export const SORT_KEYS_PER_KIND = 65_536
/** Most kinds; more would need other cursors. */
export const MAX_KINDS = 8
export const SORT_KEYS_PER_MS = MAX_KINDS * SORT_KEYS_PER_KIND

/** Ends of the database's numbers: the years -588 and 2527, between which every entry lies. */
const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

const numberAt = (ms: number): bigint => {
  const number = BigInt(ms) * BigInt(SORT_KEYS_PER_MS)
  return number < LEAST ? LEAST : number > GREATEST ? GREATEST : number
}

/** Least number of an entry of this instant or later; in far-off years it bounds nothing. */
export const sortKeyAt = (instant: Date): bigint => numberAt(instant.getTime())

/** Least number of an entry after this instant. */
export const sortKeyAfter = (instant: Date): bigint => numberAt(instant.getTime() + 1)

/** Columns of an entry that decide its position. */
interface Placed {
  readonly sort: bigint
  readonly amount: Prisma.Decimal | null
}

interface TimelineOrder {
  readonly cursors: Cursors
  /** Number as SQL, of entries called `e`. */
  readonly number: Prisma.Sql
  /** Number of entries that were read, called `r`, in the names of `TimelineRow`. */
  readonly numberRead: Prisma.Sql
  numberOf(entry: Placed): bigint
}

/** Number above every sort key. */
const SORT_KEY_SPAN = 2n ** 63n
/** Decimals of an amount (`activity.entry`). */
const DECIMALS = 4
/** Largest amount, in units of its last decimal. */
const MOST_UNITS = 10n ** 16n

const unitsOf = (amount: Decimal): bigint => BigInt(amount.times(10 ** DECIMALS).toFixed(0))

/** Number of `activity.amount_key`; an entry without money counts as zero. */
const amountKey = ({ sort, amount }: Placed): bigint =>
  unitsOf(toDecimal(String(amount ?? 0))) * SORT_KEY_SPAN + sort

const BY_TIME: TimelineOrder = {
  cursors: createNumberCursors('t1:'),
  number: Prisma.raw('e.sort'),
  numberRead: Prisma.raw('r.sort'),
  numberOf: ({ sort }) => sort,
}

const BY_AMOUNT: TimelineOrder = {
  cursors: createNumberCursors('a1:', MOST_UNITS * SORT_KEY_SPAN),
  number: Prisma.raw('activity.amount_key(e.amount, e.sort)'),
  numberRead: Prisma.raw('activity.amount_key(r.amount, r.sort)'),
  numberOf: amountKey,
}

/** Least number of an amount or more, rounded up to the decimals of amounts. */
const fromUnits = (least: Decimal) =>
  unitsOf(least.toDecimalPlaces(DECIMALS, Decimal.ROUND_CEIL)) * SORT_KEY_SPAN

const untilUnits = (most: Decimal) =>
  (unitsOf(most.toDecimalPlaces(DECIMALS, Decimal.ROUND_FLOOR)) + 1n) * SORT_KEY_SPAN

/** Conditions that bound the amount by the index of that order; entries without money are left out. */
export const amountBounds = (least: Decimal | null, most: Decimal | null): Prisma.Sql[] => [
  ...(least === null && most === null ? [] : [Prisma.sql`e.amount IS NOT NULL`]),
  ...(least === null ? [] : [Prisma.sql`${BY_AMOUNT.number} >= ${String(fromUnits(least))}::numeric`]),
  ...(most === null ? [] : [Prisma.sql`${BY_AMOUNT.number} < ${String(untilUnits(most))}::numeric`]),
]

/** Order by its argument in the graph. */
export const timelineOrder = (byAmount: boolean): TimelineOrder => (byAmount ? BY_AMOUNT : BY_TIME)

/** Columns of an entry that a description uses. */
export const DESCRIBED = [
  'kind',
  'text',
  'accountNumber',
  'mobileNumber',
  'amount',
  'currency',
  'points',
] as const

type Described = Pick<TimelineRow, (typeof DESCRIBED)[number]>

/** Fewest digits of a phone number; shorter ones are short codes, which have no country code. */
const SHORTEST_NUMBER = 7

/** Number as the graph shows it; a short code as it is. */
export const showNumber = (number: string | null) =>
  number === null || number.length < SHORTEST_NUMBER ? (number ?? '') : showPhone(number)

const showMoney = ({ amount, currency }: Described) =>
  amount && currency
    ? `${toDecimal(String(amount)).toFixed(currencyDecimals(currency))} ${currency}`
    : 'money'

const showPoints = ({ points }: Described) => {
  const number = points ? toDecimal(String(points)) : new Decimal(0)
  return number.equals(1) ? '1 point' : `${number} points`
}

/** Values of a phrase, by the name in braces. */
const PARTS: Readonly<Record<string, (row: Described) => string>> = {
  money: showMoney,
  points: showPoints,
  account: row => `${row.accountNumber}`,
  number: row => showNumber(row.mobileNumber),
  text: row => row.text,
}

const PART = /\{(\w+)\}/g

/** Checks a phrase. @throws Error for a name in braces that has no value. */
export const checkPhrase = (kind: string, phrase: string): void => {
  const unknown = [...phrase.matchAll(PART)].find(([, name]) => !(name! in PARTS))
  if (unknown) throw new Error(`The phrase of ${kind} has an unknown part: ${unknown[0]}`)
}

/** Describes an entry by its kind's phrase and the client's own text. */
export const describeEntry = ({ timeline: { phrase } }: TransactionKind, row: Described): string => {
  const line = phrase.replace(PART, (_, name: string) => PARTS[name]!(row))
  return row.text && !phrase.includes('{text}') ? `${line}: ${row.text}` : line
}

/** Entry as a row of its table. */
export interface TimelineRow {
  readonly id: string
  readonly sort: bigint
  readonly kind: string
  readonly clientId: string
  readonly accountNumber: string | null
  readonly mobileNumber: string | null
  readonly occurredAt: Date
  readonly status: string
  readonly outcome: Outcome
  readonly reason: string
  readonly currency: string | null
  readonly amount: Prisma.Decimal | null
  readonly points: Prisma.Decimal | null
  readonly channel: string
  readonly merchant: string
  readonly text: string
  readonly clientCorrelatorId: string | null
  readonly correlator: string | null
  readonly referenceCode: string | null
}

/** Columns of entries called `e`, under the names of `TimelineRow`. */
export const ENTRY_SETS = createColumnSets<keyof TimelineRow>({
  id: 'e.id',
  sort: 'e.sort',
  kind: 'e.kind',
  clientId: 'e.client_id',
  accountNumber: 'e.account_number',
  mobileNumber: 'e.mobile_number',
  occurredAt: 'e.occurred_at',
  status: 'e.status',
  outcome: 'e.outcome',
  reason: 'e.reason',
  currency: 'e.currency',
  amount: 'e.amount',
  points: 'e.points',
  channel: 'e.channel',
  merchant: 'e.merchant',
  text: 'e.text',
  clientCorrelatorId: 'e.client_correlator_id',
  correlator: 'e.correlator',
  referenceCode: 'e.reference_code',
})

/** Columns that are always read: they identify and order entries. */
export const ENTRY_KEYS = ['id', 'sort', 'kind', 'amount'] as const

/** Entry with its keys; a resolver names the further columns that it needs. */
export type SelectedEntry = Pick<TimelineRow, (typeof ENTRY_KEYS)[number]>

/** Columns of entries that are read, with those of the keys. */
export type EntryColumns = ColumnSet<keyof SelectedEntry>

/**
 * Lexemes that an entry is found by, as SQL: the words of a text, and correlators, which are found whole or from their
 * beginning; as words each would be five instead of one. They are those of `activity.words` and `activity.tokens`, whose
 * aggregates cut what is too long. Mostly nothing is, and the same is made without them at half the work.
 */
export const lexemesOf = (text: Prisma.Sql, correlators: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN lower(${text}) ~ '\\S{65}' OR length(lower(${correlators})) > 256
    THEN array_to_tsvector(activity.words(${text}) || activity.tokens(${correlators}))
    ELSE array_to_tsvector(array_remove(regexp_split_to_array(lower(${text}), '[\\s!-/:-@\\[-\`{-~،؛؟]+')
      || regexp_split_to_array(lower(${correlators}), '\\s+'), '')) END`
