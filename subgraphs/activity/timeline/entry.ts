/** Entry of a timeline with its description, and the query of a page of entries. */

import type { Prisma } from '#core/data/db.ts'
import { type ColumnSet, createColumnSets } from '#core/data/sql.ts'
import { isByAmount, type Keyset, type PageArgs, parseKeyset } from '#core/paging/keyset.ts'
import type { Outcome, TransactionKind } from '#core/transactions/kind.ts'
import { currencyDecimals, Decimal, toDecimal } from '#core/values/money.ts'
import { showPhone } from '#core/values/phone.ts'
import { type WithMoments, withInstants } from '#core/values/time.ts'
import { checkFilter, type TimelineFilter } from './filter.ts'
import { timelineOrder } from './order.ts'

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
