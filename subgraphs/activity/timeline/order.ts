/**
 * Orders of a timeline: by time or by amount, each by one number that is unique and has an index.
 *
 * The sort key is the number for time: the millisecond of creation, then the kind, then the number in the kind's sequence. A
 * span of time is a range of it, and a rebuild gives it again.
 */
import { Prisma } from '#core/data/db.ts'
import { type Cursors, createNumberCursors } from '#core/paging/keyset.ts'
import { Decimal, toDecimal } from '#core/values/money.ts'

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

export const BY_TIME: TimelineOrder = {
  cursors: createNumberCursors('t1:'),
  number: Prisma.raw('e.sort'),
  numberRead: Prisma.raw('r.sort'),
  numberOf: ({ sort }) => sort,
}

export const BY_AMOUNT: TimelineOrder = {
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
