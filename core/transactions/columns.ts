/** The columns of every transaction table, listed once: what reads, numbers and writes rows derives from the list. */

import { Prisma } from '../data/db.ts'
import { type ColumnSet, createColumnSets } from '../data/sql.ts'
import type { ShownDecimal } from '../values/money.ts'
import { type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

type Field = keyof TransactionRow

/** The type of each column; a column is named as its field is, in snake case. */
const TYPE_OF: Readonly<Record<Field, string>> = {
  id: 'uuid',
  position: 'bigint',
  clientId: 'text',
  clientPosition: 'bigint',
  createdAt: 'timestamptz',
  clientCorrelatorId: 'text',
  correlator: 'text',
  trace: 'text',
  referenceCode: 'text',
  status: 'text',
  completedAt: 'timestamptz',
  reason: 'text',
  accountNumber: 'text',
  mobileNumber: 'text',
  currency: 'text',
  amount: 'numeric',
  points: 'numeric',
  body: 'jsonb',
  webhookUrl: 'text',
  webhookToken: 'text',
}

const FIELDS = Object.keys(TYPE_OF) as Field[]

const columnOf = (field: Field) => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const each = (write: (field: Field) => string) => Prisma.raw(FIELDS.map(write).join(', '))

/** The columns of a table called `t`, under the names of `TransactionRow`, and sets of some of them. */
export const COLUMN_SETS = createColumnSets(
  Object.fromEntries(FIELDS.map(field => [field, `t.${columnOf(field)}`])) as Record<Field, string>,
)

/** Columns whose values the graph shows as the database writes them. */
const DECIMALS = ['amount', 'points'] as const
const isDecimal = (field: Field): boolean => (DECIMALS as readonly Field[]).includes(field)

/** The same columns for the graph: to make decimals of their texts, and numbers of these, takes longer than to read the row. */
export const GRAPH_COLUMN_SETS = createColumnSets(
  Object.fromEntries(
    FIELDS.map(field => [field, `t.${columnOf(field)}${isDecimal(field) ? '::text' : ''}`]),
  ) as Record<Field, string>,
)

/** A row as resolvers read it: decimals may be their texts. */
export type ResolvedRow = Omit<TransactionRow, (typeof DECIMALS)[number]> & {
  readonly [Name in (typeof DECIMALS)[number]]: ShownDecimal | null
}

/** All of them. */
export const COLUMNS = COLUMN_SETS.all.columns

/** The columns that name a row and order rows, read with all others. */
export const KEYS = ['id', 'position', 'clientPosition'] as const

/** A row of which no more is known to have been read: a resolver says what it needs besides (`graph/connections.ts`). */
export type SelectedRow = Pick<TransactionRow, (typeof KEYS)[number]>

/** The fields that the contract shows of a transaction in REST. */
const SHOWN_FIELDS = ['id', 'status', 'createdAt', 'completedAt', 'body', 'webhookUrl'] as const

export const SHOWN = COLUMN_SETS.of(SHOWN_FIELDS)

/** A row as far as REST shows it. */
export type ShownRow<Body = unknown> = Pick<TransactionRow<Body>, (typeof SHOWN_FIELDS)[number]>

/** The columns that are read, the keys among them. */
export type RowColumns = ColumnSet<(typeof KEYS)[number]>

const NAMES = each(columnOf)
const QUOTED = each(field => `r."${field}"`)
const TYPED = each(field => `"${field}" ${TYPE_OF[field]}`)

type Always = 'id' | 'position' | 'clientId' | 'clientPosition' | 'createdAt' | 'status' | 'body'

/** The fields that every row has, and others. */
type Known = Pick<TransactionRow, Always> & Partial<TransactionRow>

/** A row of what is known of it; the rest is null. */
export const toRow = (known: Known): TransactionRow => ({
  id: known.id,
  position: known.position,
  clientId: known.clientId,
  clientPosition: known.clientPosition,
  createdAt: known.createdAt,
  clientCorrelatorId: known.clientCorrelatorId ?? null,
  correlator: known.correlator ?? null,
  trace: known.trace ?? null,
  referenceCode: known.referenceCode ?? null,
  status: known.status,
  completedAt: known.completedAt ?? null,
  reason: known.reason ?? null,
  accountNumber: known.accountNumber ?? null,
  mobileNumber: known.mobileNumber ?? null,
  currency: known.currency ?? null,
  amount: known.amount ?? null,
  points: known.points ?? null,
  body: known.body,
  webhookUrl: known.webhookUrl ?? null,
  webhookToken: known.webhookToken ?? null,
})

/** JSON has no word for a bigint: it goes as text. Decimals and dates write themselves as text. */
const toJson = (rows: readonly TransactionRow[]) =>
  JSON.stringify(
    rows.map(row => ({ ...row, position: `${row.position}`, clientPosition: `${row.clientPosition}` })),
  )

/** The statement that writes rows of a kind. */
export const insertRows = (kind: TransactionKind, rows: readonly TransactionRow[]): Prisma.Sql => Prisma.sql`
  INSERT INTO ${tableOf(kind)} (${NAMES})
  SELECT ${QUOTED} FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS r (${TYPED})`

/** The bytes of a row beside the columns that are counted. */
const FIXED_BYTES = 512

/**
 * A row's bytes, to be selected as `bytes`. A body in place and uncompressed is as long as it is stored, which costs
 * nothing to ask; a compressed or a moved one has to be written out. Lengths of text columns are known without reading.
 */
export const BYTES = Prisma.raw(`
  CASE WHEN pg_column_compression(t.body) IS NULL AND pg_column_size(t.body) < 2000 THEN pg_column_size(t.body)
    ELSE octet_length(t.body::text) END
  + coalesce(octet_length(t.reference_code), 0) + coalesce(octet_length(t.webhook_url), 0)
  + coalesce(octet_length(t.webhook_token), 0) + coalesce(octet_length(t.reason), 0) + ${FIXED_BYTES} AS bytes`)
