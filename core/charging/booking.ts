/** Booking: balances are locked, what the ledger decides moves them, and each movement leaves its entry. */
import { Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
import { type BalanceRow, balanceText } from './balances.ts'
import type { Movement } from './movement.ts'

/** Where entries stand: of what was carried out, or of what of that was taken back; one a transaction in each. */
export const ENTRIES = Prisma.raw('ledger.entry')
export const REVERSALS = Prisma.raw('ledger.reversal')

type Book = typeof ENTRIES

/** Those of the transactions that have an entry already. */
export const bookedBefore = async (tx: Statements, book: Book, ids: string[]): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM ${book} WHERE transaction_id = ANY (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** Locks the balances in one order for all, so that two ledgers never wait for each other; opens missing ones. */
export const lockBalances = async (tx: Statements, movements: Movement[]): Promise<Map<string, Decimal>> => {
  if (movements.length === 0) return new Map()
  const keys = valuesTable(
    movements.map(({ kind, holder, currency }) => ({ kind, holder, currency })),
    Prisma.sql`kind text, holder text, currency text`,
  )
  const [, rows] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO ledger.balance (kind, holder, currency, amount)
      SELECT DISTINCT kind, holder, currency, 0
      FROM ${keys} m ORDER BY holder, kind, currency ON CONFLICT DO NOTHING`,
    tx.$queryRaw<BalanceRow[]>`
      SELECT kind, holder, currency, amount FROM ledger.balance b
      WHERE (holder, kind, currency) IN (SELECT m.holder, m.kind, m.currency FROM ${keys} m)
      ORDER BY holder, kind, currency FOR UPDATE`,
  ])
  return new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
}

/** Writes the movements that were applied, and the balances they have come to. */
export const writeMovements = async (
  tx: Statements,
  book: Book,
  applied: Movement[],
  balances: Map<string, Decimal>,
) => {
  if (applied.length === 0) return
  const changed = [...new Map(applied.map(movement => [balanceText(movement), movement])).values()]
  const rows = changed.map(m => ({ ...m, amount: balances.get(balanceText(m)) }))
  await tx.$executeRaw`
    WITH entries AS (
      INSERT INTO ${book} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(applied)}::jsonb)
        AS e ("transactionId" uuid, kind text, holder text, currency text, amount numeric))
    UPDATE ledger.balance b SET amount = n.amount
    FROM ${valuesTable(rows, Prisma.sql`kind text, holder text, currency text, amount numeric`)} n
    WHERE b.holder = n.holder AND b.kind = n.kind AND b.currency = n.currency`
}
