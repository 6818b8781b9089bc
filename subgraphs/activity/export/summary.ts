/** A summary as a file: its groups, sums and measures as columns, a row for each row of the graph's summary. */
import { type Column, type Format, write } from '#core/http/row-files.ts'
import { type Decimal, toJsonNumber } from '#core/values/money.ts'
import type { Measure, SummaryGroup, SummaryQuery } from '../summary/query.ts'
import type { SummaryRow } from '../summary/row.ts'

type SummaryColumn = Column<SummaryRow>
type Cell = ReturnType<SummaryColumn['value']>

const own = (name: string, value: (row: SummaryRow) => Cell): SummaryColumn => ({ name, free: false, value })
const free = (name: string, value: (row: SummaryRow) => Cell): SummaryColumn => ({ name, free: true, value })

const numberOf = (value: Decimal | null | undefined): number | null =>
  value == null ? null : toJsonNumber(value)

/** The only amount of a row; amounts of several currencies cannot be added, and have no cell. */
const amountOf = ({ amounts }: SummaryRow) => (amounts.length === 1 ? amounts[0] : undefined)

/** Columns of the groups; the currency has one whether it is grouped by or not. */
const GROUP_COLUMNS: Readonly<Partial<Record<SummaryGroup, SummaryColumn>>> = {
  KIND: own('kind', row => row.kind),
  OUTCOME: own('outcome', row => row.outcome),
  CHANNEL: free('channel', row => row.channel),
  MERCHANT: free('merchant', row => row.merchant),
  PARTNER: free('partner', row => row.clientId),
  REASON: free('reason', row => row.reason),
  CUSTOMER: free('customerAccountNumber', row => row.customerAccountNumber),
  CATEGORY: free('category', row => row.category),
  PRODUCT: free('product', row => row.product),
  PAYMENT_METHOD: free('paymentMethod', row => row.paymentMethod),
}

const SUMS: readonly SummaryColumn[] = [
  own('count', row => row.count),
  own('completed', row => row.completed),
  own('failed', row => row.failed),
  own('failureRate', row => row.failed / row.count),
  own('amount', row => numberOf(amountOf(row)?.value)),
  own('currency', row => row.currency ?? amountOf(row)?.currency ?? null),
  own('points', row => numberOf(row.points)),
  own('average', row => numberOf(row.average?.value)),
]

const MEASURE_COLUMNS: Readonly<Record<Measure, SummaryColumn>> = {
  customers: own('customers', row => row.customers),
  max: own('max', row => numberOf(row.max?.value)),
  p50: own('p50', row => numberOf(row.p50?.value)),
  p95: own('p95', row => numberOf(row.p95?.value)),
  settledP50Ms: own('settledP50Ms', row => row.settledP50Ms),
  settledP95Ms: own('settledP95Ms', row => row.settledP95Ms),
}

const columnsOf = ({ groupBy, measures }: SummaryQuery): SummaryColumn[] => [
  own('period', row => row.period),
  ...groupBy.flatMap(group => GROUP_COLUMNS[group] ?? []),
  ...SUMS,
  ...measures.map(measure => MEASURE_COLUMNS[measure]),
]

/** Writes the file; the rows are read when it is requested. */
export async function* exportSummary(
  format: Format,
  query: SummaryQuery,
  read: () => Promise<readonly SummaryRow[]>,
): AsyncGenerator<string> {
  const rows = await read()
  async function* all() {
    yield rows
  }
  yield* write(format, columnsOf(query), all())
}
