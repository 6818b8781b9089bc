/**
 * Rows of a statement: one partner's transactions of a day, with their outcomes as they were after an event of the log. So
 * the same bytes can be written again later, and their digest is provable.
 */
import { Prisma, type Statements } from '#core/data/db.ts'
import { type Outcome, type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { toDecimal } from '#core/values/money.ts'
import { csvLine, csvText } from '../export/formats.ts'
import type { Kinds } from '../kinds.ts'

/** One partner's day. */
export interface StatementDay {
  readonly clientId: string
  /** First instant of the day, and of the next. */
  readonly start: Date
  readonly end: Date
  /** Outcomes are those after this event. */
  readonly eventUntil: bigint
}

/** A transaction of the day. */
export interface StatementRow {
  readonly kind: string
  readonly number: bigint
  readonly id: string
  readonly createdAt: Date
  readonly clientCorrelatorId: string | null
  readonly referenceCode: string | null
  readonly outcome: Outcome
  readonly amount: Prisma.Decimal | null
  readonly currency: string | null
  readonly points: Prisma.Decimal | null
}

/** First and last number of a kind on a day. */
export interface NumberRange {
  readonly kind: string
  readonly first: bigint
  readonly last: bigint
}

/** Kinds in the order of the rows. */
export const kindsInOrder = (kinds: Kinds): Kinds =>
  kinds.toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1))

/**
 * Reads the numbers of a kind.
 * @throws Error where they have a hole: better no statement than one that seems complete.
 */
export async function readNumbers(
  db: Statements,
  kind: TransactionKind,
  { clientId, start, end }: StatementDay,
): Promise<NumberRange | undefined> {
  const [row] = await db.$queryRaw<{ first: bigint | null; last: bigint | null; count: bigint }[]>`
    SELECT min(t.client_position) AS first, max(t.client_position) AS last, count(*) AS count FROM ${tableOf(kind)} t
    WHERE t.client_id = ${clientId} AND t.created_at >= ${start}::timestamptz AND t.created_at < ${end}::timestamptz`
  const { first, last, count } = row!
  if (first === null || last === null) return undefined
  if (last - first + 1n !== count) throw new Error(`The numbers of ${kind.name} of a day have a hole`)
  return { kind: kind.name, first, last }
}

/** The status of a transaction `t` after an event: its own, unless it has changed since. */
const statusAfter = ({ initial }: TransactionKind, eventUntil: bigint) => Prisma.sql`
  CASE WHEN EXISTS (SELECT 1 FROM events.event e WHERE e.transaction_id = t.id AND e.position > ${eventUntil}::bigint)
    THEN coalesce((SELECT e.operation_status FROM events.event e
      WHERE e.transaction_id = t.id AND e.position <= ${eventUntil}::bigint ORDER BY e.position DESC LIMIT 1), ${initial})
    ELSE t.status END`

type ReadRow = Omit<StatementRow, 'kind' | 'outcome'> & { readonly status: string }

const PAGE = 2_000

/** Reads the rows of a day page by page: kind by kind, in the order of their numbers. */
export async function* readStatementRows(
  db: Statements,
  kinds: Kinds,
  day: StatementDay,
  numbers: readonly NumberRange[],
): AsyncGenerator<StatementRow[]> {
  for (const kind of kindsInOrder(kinds)) {
    const range = numbers.find(one => one.kind === kind.name)
    if (!range) continue
    for (let from = range.first; from <= range.last; from += BigInt(PAGE)) {
      const rows = await db.$queryRaw<ReadRow[]>`
        SELECT t.client_position AS number, t.id, t.created_at AS "createdAt", t.client_correlator_id AS "clientCorrelatorId",
          t.reference_code AS "referenceCode", ${statusAfter(kind, day.eventUntil)} AS status, t.amount, t.currency, t.points
        FROM ${tableOf(kind)} t WHERE t.client_id = ${day.clientId}
          AND t.client_position >= ${from}::bigint AND t.client_position < ${from + BigInt(PAGE)}::bigint
          AND t.client_position <= ${range.last}::bigint
        ORDER BY t.client_position`
      yield rows.map(({ status, ...row }) => ({ ...row, kind: kind.name, outcome: kind.outcomes[status]! }))
    }
  }
}

const COLUMNS = [
  'number',
  'kind',
  'id',
  'createdAt',
  'clientCorrelatorId',
  'referenceCode',
  'outcome',
  'amount',
  'currency',
  'points',
] as const

const numeric = (value: Prisma.Decimal | null) => (value === null ? '' : toDecimal(String(value)).toString())

const lineOf = (row: StatementRow): string =>
  csvLine([
    `${row.number}`,
    row.kind,
    row.id,
    row.createdAt.toISOString(),
    csvText(row.clientCorrelatorId ?? '', true),
    csvText(row.referenceCode ?? '', true),
    row.outcome,
    numeric(row.amount),
    row.currency ?? '',
    numeric(row.points),
  ])

/** The line before the rows. */
export const CSV_HEAD = csvLine(COLUMNS)

/** The text of rows. */
export const csvOf = (rows: readonly StatementRow[]): string => rows.map(lineOf).join('')
