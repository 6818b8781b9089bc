/** What is said of an entry in an export: the same under the same names, whatever the format. */

import type { TransactionKind } from '#core/transactions/kind.ts'
import { toDecimal, toJsonNumber } from '#core/values/decimal.ts'
import { describeEntry, showNumber } from '../timeline/describe.ts'
import type { TimelineRow } from '../timeline/entry.ts'

/** An entry, with the kind it is of. */
export interface Exported {
  readonly row: TimelineRow
  readonly kind: TransactionKind
}

export interface Column {
  readonly name: string
  /** Whether somebody else may have written it: a spreadsheet must not take it for a formula. */
  readonly free: boolean
  value(entry: Exported): string | number | null
}

const own = (name: string, value: (entry: Exported) => string | number | null): Column => ({
  name,
  free: false,
  value,
})
const free = (name: string, value: (entry: Exported) => string | null): Column => ({
  name,
  free: true,
  value,
})

const numberOf = (value: TimelineRow['amount']): number | null =>
  value === null ? null : toJsonNumber(toDecimal(String(value)))

export const COLUMNS: readonly Column[] = [
  own('id', ({ row }) => row.id),
  own('kind', ({ row }) => row.kind),
  own('occurredAt', ({ row }) => row.occurredAt.toISOString()),
  own('outcome', ({ row }) => row.outcome),
  own('transactionOperationStatus', ({ row }) => row.status),
  free('reason', ({ row }) => row.reason || null),
  own('amount', ({ row }) => numberOf(row.amount)),
  own('currency', ({ row }) => row.currency),
  own('points', ({ row }) => numberOf(row.points)),
  free('customerAccountNumber', ({ row }) => row.accountNumber),
  own('mobileNumber', ({ row }) => row.mobileNumber && showNumber(row.mobileNumber)),
  free('channel', ({ row }) => row.channel || null),
  free('merchant', ({ row }) => row.merchant || null),
  free('description', ({ row, kind }) => describeEntry(kind, row)),
  free('referenceCode', ({ row }) => row.referenceCode),
  free('clientCorrelatorId', ({ row }) => row.clientCorrelatorId),
  free('correlator', ({ row }) => row.correlator),
]

/** Not said to partners, as in the graph. */
export const POSTED_BY: Column = free('postedBy', ({ row }) => row.clientId)
