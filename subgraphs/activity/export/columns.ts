/** Columns of the timeline as a file. */
import type { Column } from '#core/http/row-files.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { toDecimal, toJsonNumber } from '#core/values/money.ts'
import { describeEntry, showNumber, type TimelineRow } from '../timeline/entry.ts'

/** Entry with its kind. */
export interface Exported {
  readonly row: TimelineRow
  readonly kind: TransactionKind
}

type EntryColumn = Column<Exported>

const own = (name: string, value: (entry: Exported) => string | number | null): EntryColumn => ({
  name,
  free: false,
  value,
})
const free = (name: string, value: (entry: Exported) => string | null): EntryColumn => ({
  name,
  free: true,
  value,
})

const numberOf = (value: TimelineRow['amount']): number | null =>
  value === null ? null : toJsonNumber(toDecimal(String(value)))

export const EXPORT_COLUMNS: readonly EntryColumn[] = [
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

/** Column that partners do not get, as in the graph. */
export const POSTED_BY: EntryColumn = free('postedBy', ({ row }) => row.clientId)
