/**
 * Orders of a timeline: by time or by amount, each by one number that is unique and has an index.
 *
 * The sort key is the number for time: the millisecond of creation, then the kind, then the number in the kind's sequence. A
 * span of time is a range of it, and a rebuild gives it again.
 */
import { Prisma } from '#core/data/db.ts'
import { type Cursors, createNumberCursors } from '#core/paging/cursor.ts'
import { Decimal, toDecimal } from '#core/values/decimal.ts'

/**
 * A sequence would have to number more than these in one millisecond for two entries to have the same key. Then nothing
 * fails, but one of them may be missed at the edge of a page.
 */
export const SORT_KEYS_PER_KIND = 65_536
/** So many kinds have a place in one millisecond; more would take other cursors. */
export const MAX_KINDS = 8
export const SORT_KEYS_PER_MS = MAX_KINDS * SORT_KEYS_PER_KIND

/** What the database's numbers end at: the years -588 and 2527, between which every entry lies. */
const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

const numberAt = (ms: number): bigint => {
  const number = BigInt(ms) * BigInt(SORT_KEYS_PER_MS)
  return number < LEAST ? LEAST : number > GREATEST ? GREATEST : number
}

/** The least number that an entry of this instant, or a later one, can have; for far-off years as good as no bound. */
export const sortKeyAt = (instant: Date): bigint => numberAt(instant.getTime())

/** The least number that an entry after this instant can have. */
export const sortKeyAfter = (instant: Date): bigint => numberAt(instant.getTime() + 1)

/** What of an entry says where it stands. */
interface Placed {
  readonly sort: bigint
  readonly amount: Prisma.Decimal | null
}

interface TimelineOrder {
  readonly cursors: Cursors
  /** The number as SQL, of entries called `e`. */
  readonly number: Prisma.Sql
  /** The same of entries that were read, `r`, in the names of `TimelineRow`. */
  readonly numberRead: Prisma.Sql
  numberOf(entry: Placed): bigint
}

/** What no place in time reaches. */
const PLACES = 2n ** 63n
/** An amount has so many decimals (`activity.entry`). */
const DECIMALS = 4
/** The largest amount there can be, in units of its last decimal. */
const MOST_UNITS = 10n ** 16n

const unitsOf = (amount: Decimal): bigint => BigInt(amount.times(10 ** DECIMALS).toFixed(0))

/** The number of `activity.amount_key`; what moves no money counts as nothing. */
const amountKey = ({ sort, amount }: Placed): bigint =>
  unitsOf(toDecimal(String(amount ?? 0))) * PLACES + sort

export const BY_TIME: TimelineOrder = {
  cursors: createNumberCursors('t1:'),
  number: Prisma.raw('e.sort'),
  numberRead: Prisma.raw('r.sort'),
  numberOf: ({ sort }) => sort,
}

export const BY_AMOUNT: TimelineOrder = {
  cursors: createNumberCursors('a1:', MOST_UNITS * PLACES),
  number: Prisma.raw('activity.amount_key(e.amount, e.sort)'),
  numberRead: Prisma.raw('activity.amount_key(r.amount, r.sort)'),
  numberOf: amountKey,
}

/** An amount between two that there can be is as good as the one above it. */
const fromUnits = (least: Decimal) => unitsOf(least.toDecimalPlaces(DECIMALS, Decimal.ROUND_CEIL)) * PLACES

const untilUnits = (most: Decimal) =>
  (unitsOf(most.toDecimalPlaces(DECIMALS, Decimal.ROUND_FLOOR)) + 1n) * PLACES

/** Conditions that bound the amount by the index of that order; what moves no money is left out. */
export const amountBounds = (least: Decimal | null, most: Decimal | null): Prisma.Sql[] => [
  ...(least === null && most === null ? [] : [Prisma.sql`e.amount IS NOT NULL`]),
  ...(least === null ? [] : [Prisma.sql`${BY_AMOUNT.number} >= ${String(fromUnits(least))}::numeric`]),
  ...(most === null ? [] : [Prisma.sql`${BY_AMOUNT.number} < ${String(untilUnits(most))}::numeric`]),
]

/** Order by its argument in the graph. */
export const orderOf = (byAmount: boolean): TimelineOrder => (byAmount ? BY_AMOUNT : BY_TIME)
