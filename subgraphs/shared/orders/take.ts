/**
 * Taking in: what create left in its initial status becomes an order. Transactions are numbered in commit order, so a
 * position says up to where they have been taken, and none is looked at twice.
 */
import type { App } from '../context/app.ts'
import type { PrismaClient, Transaction } from '../data/db.ts'
import { sqlWord } from '../data/sql-word.ts'
import { COLUMNS } from '../transactions/columns.ts'
import { type TransactionKind, type TransactionRow, tableOf } from '../transactions/kind.ts'
import type { Settlement } from '../transactions/settlement.ts'

const MAX_BATCH = 200

/** Begins before the first transaction that waits, so that those of the time before are neither missed nor read. */
export const openProgress = (db: PrismaClient, kind: TransactionKind): Promise<number> => db.$executeRaw`
  INSERT INTO charging.progress (kind, position)
  SELECT ${kind.name}, coalesce(
    (SELECT min(t.position) - 1 FROM ${tableOf(kind)} t WHERE t.status = ${sqlWord(kind.initial)}),
    (SELECT position FROM books.book WHERE name = ${kind.table} AND client_id = ''), 0)
  ON CONFLICT DO NOTHING`

/** Nothing where another process is taking orders in at the moment. */
const lockProgress = async (tx: Transaction, kind: TransactionKind): Promise<bigint | undefined> => {
  const rows = await tx.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM charging.progress WHERE kind = ${kind.name} FOR UPDATE SKIP LOCKED`
  return rows[0]?.position
}

const readNew = (tx: Transaction, kind: TransactionKind, position: bigint) => tx.$queryRaw<
  TransactionRow<never>[]
>`
  SELECT ${COLUMNS} FROM ${tableOf(kind)} t
  WHERE t.status = ${sqlWord(kind.initial)} AND t.position > ${position}::bigint
  ORDER BY t.position LIMIT ${MAX_BATCH}`

/** Whose orders are sent one after the other: those of the account whose dues they move, else those of the number. */
const ownerOf = ({ charge }: TransactionKind, row: TransactionRow): string =>
  (charge.moves?.balance === 'dues' ? row.accountNumber : (row.mobileNumber ?? row.accountNumber)) ?? row.id

const writeOrders = (tx: Transaction, settlement: Settlement, rows: readonly TransactionRow<never>[]) => {
  const { kind } = settlement
  const orders = rows.map(row => ({
    id: row.id,
    owner: ownerOf(kind, row),
    position: `${row.position}`,
    createdAt: row.createdAt,
    expiresAt: settlement.expiresAt?.(row),
  }))
  return tx.$executeRaw`
    INSERT INTO charging."order" (transaction_id, kind, owner, position, created_at, expires_at)
    SELECT id, ${kind.name}, owner, position, "createdAt", "expiresAt"
    FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb)
      AS o (id uuid, owner text, position bigint, "createdAt" timestamptz, "expiresAt" timestamptz)
    ON CONFLICT DO NOTHING`
}

const takeBatch = async (tx: Transaction, settlement: Settlement): Promise<number> => {
  const { kind } = settlement
  const position = await lockProgress(tx, kind)
  const rows = position === undefined ? [] : await readNew(tx, kind, position)
  if (rows.length === 0) return 0
  await writeOrders(tx, settlement, rows)
  await tx.$executeRaw`
    UPDATE charging.progress SET position = ${rows.at(-1)!.position}::bigint WHERE kind = ${kind.name}`
  return rows.length
}

/**
 * Whether there is anything to take, which mostly there is not: one statement, and no transaction. In the order of the
 * index: without, the table would be read from its start where statistics say that much waits.
 */
const isAnyNew = async (db: PrismaClient, kind: TransactionKind): Promise<boolean> => {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM ${tableOf(kind)} t
    WHERE t.status = ${sqlWord(kind.initial)}
      AND t.position > (SELECT position FROM charging.progress WHERE kind = ${kind.name})
    ORDER BY t.position LIMIT 1`
  return rows.length > 0
}

/** Makes orders of all transactions that wait. */
export async function takeIn({ db }: App, settlement: Settlement): Promise<void> {
  if (!(await isAnyNew(db, settlement.kind))) return
  let taken: number
  do taken = await db.$transaction(tx => takeBatch(tx, settlement))
  while (taken === MAX_BATCH)
}
