/** Columns and formats of an export: CSV (RFC 4180) and JSON lines. */
import type { TransactionKind } from '#core/transactions/kind.ts'
import { toDecimal, toJsonNumber } from '#core/values/money.ts'
import { describeEntry, showNumber, type TimelineRow } from '../timeline/entry.ts'

/** Entry with its kind. */
export interface Exported {
  readonly row: TimelineRow
  readonly kind: TransactionKind
}

interface Column {
  readonly name: string
  /** True where clients or customers may have written the text: a spreadsheet must not read it as a formula. */
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

export const EXPORT_COLUMNS: readonly Column[] = [
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
export const POSTED_BY: Column = free('postedBy', ({ row }) => row.clientId)

export interface Format {
  readonly contentType: string
  /** Text before the first entry. */
  head(columns: readonly Column[]): string
  line(columns: readonly Column[], entry: Exported): string
}

/**
 * Beginnings of a cell that a spreadsheet may read as a formula (OWASP, "CSV Injection"), with full-width signs, which some
 * programs read like the others, and with invisible characters before them.
 */
const FORMULA = /^[\s\p{C}\p{Z}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n]/

const quote = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * Writes a cell. A free text that would be a formula gets an apostrophe before it; our own values stay as they are, so that
 * `+968…` remains a number.
 */
export const csvText = (text: string, free: boolean): string =>
  quote(free && FORMULA.test(text) ? `'${text}` : text)

const cell = ({ free, value }: Column, entry: Exported): string => csvText(String(value(entry) ?? ''), free)

/** Writes a line of cells that were written before. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: columns => csvLine(columns.map(({ name }) => name)),
    line: (columns, entry) => csvLine(columns.map(column => cell(column, entry))),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, entry) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, value(entry)])))}\n`,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

/** Writes an export: one text for its head and one for each page. */
export async function* write(
  format: Format,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Exported[]>,
): AsyncGenerator<string> {
  const head = format.head(columns)
  if (head) yield head
  for await (const page of pages) yield page.map(entry => format.line(columns, entry)).join('')
}
