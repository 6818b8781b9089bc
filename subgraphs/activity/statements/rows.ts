/**
 * Rows of a statement: one partner's transactions of a day, with their outcomes as they were after an event of the log. So
 * the same bytes can be written again later, and their digest is provable.
 */
import type { Prisma, Statements } from '#core/data/db.ts'
import { csvLine, csvText } from '#core/http/row-files.ts'
import { type Outcome, type TransactionKind, tableOf } from '#core/transactions/kind.ts'
import { toDecimal } from '#core/values/money.ts'
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

type ReadRow = Omit<StatementRow, 'kind' | 'outcome'> & { readonly status: string }

const PAGE = 2_000

/**
 * Reads rows with their status after an event: their own, unless it has changed since. Transactions and events are parts of
 * their own, since Citus has them on different nodes.
 */
const readPage = (
  db: Statements,
  kind: TransactionKind,
  { clientId, eventUntil }: StatementDay,
  [from, to]: readonly [bigint, bigint],
) => db.$queryRaw<ReadRow[]>`
  WITH page AS MATERIALIZED (
    SELECT t.client_position AS number, t.id, t.created_at AS "createdAt", t.client_correlator_id AS "clientCorrelatorId",
      t.reference_code AS "referenceCode", t.status, t.amount, t.currency, t.points
    FROM ${tableOf(kind)} t WHERE t.client_id = ${clientId} AND t.client_position BETWEEN ${from}::bigint AND ${to}::bigint),
  changed AS MATERIALIZED (
    SELECT e.transaction_id, max(e.position) > ${eventUntil}::bigint AS since,
      (array_agg(e.operation_status ORDER BY e.position DESC) FILTER (WHERE e.position <= ${eventUntil}::bigint))[1] AS status
    FROM page p JOIN events.event e ON e.transaction_id = p.id GROUP BY e.transaction_id)
  SELECT p.number, p.id, p."createdAt", p."clientCorrelatorId", p."referenceCode",
    CASE WHEN c.since THEN coalesce(c.status, ${kind.initial}) ELSE p.status END AS status, p.amount, p.currency, p.points
  FROM page p LEFT JOIN changed c ON c.transaction_id = p.id ORDER BY p.number`

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
      const last = from + BigInt(PAGE) - 1n
      const rows = await readPage(db, kind, day, [from, last < range.last ? last : range.last])
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
