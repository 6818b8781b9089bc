/**
 * Booking: balances are locked, movements change them, and each movement leaves its entry. Movements that an outside
 * charging system made are recorded likewise, so that balances in the graph include them.
 */

import { Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
import { type BalanceRow, balanceText } from './balances.ts'
import type { ChargeOrder } from './charging.ts'
import { type Movement, movementOf, oppositeOf } from './movement.ts'

/** The tables of entries, for orders that were carried out and for those taken back; one entry a transaction in each. */
export const ENTRIES = Prisma.raw('ledger.entry')
export const REVERSALS = Prisma.raw('ledger.reversal')

type EntryTable = typeof ENTRIES

/** The transactions that have an entry already. */
export const bookedBefore = async (
  tx: Statements,
  table: EntryTable,
  ids: string[],
): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM ${table} WHERE transaction_id = ANY (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** Locks balances in one order for all, so that two ledgers never wait for each other; missing ones are opened. */
export const lockBalances = async (tx: Statements, movements: Movement[]): Promise<Map<string, Decimal>> => {
  if (movements.length === 0) return new Map()
  const keys = valuesTable(
    movements.map(({ kind, owner, currency }) => ({ kind, owner, currency })),
    Prisma.sql`kind text, owner text, currency text`,
  )
  const [, rows] = await Promise.all([
    tx.$executeRaw`
      INSERT INTO ledger.balance (kind, holder, currency, amount)
      SELECT DISTINCT kind, owner, currency, 0
      FROM ${keys} m ORDER BY owner, kind, currency ON CONFLICT DO NOTHING`,
    tx.$queryRaw<BalanceRow[]>`
      SELECT kind, holder AS owner, currency, amount FROM ledger.balance b
      WHERE (holder, kind, currency) IN (SELECT m.owner, m.kind, m.currency FROM ${keys} m)
      ORDER BY holder, kind, currency FOR UPDATE`,
  ])
  return new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
}

/** Writes the movements that were applied, and the balances after them. */
export const writeMovements = async (
  tx: Statements,
  table: EntryTable,
  applied: Movement[],
  balances: Map<string, Decimal>,
) => {
  if (applied.length === 0) return
  const changed = [...new Map(applied.map(movement => [balanceText(movement), movement])).values()]
  const rows = changed.map(m => ({ ...m, amount: balances.get(balanceText(m)) }))
  await tx.$executeRaw`
    WITH entries AS (
      INSERT INTO ${table} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(applied)}::jsonb)
        AS e ("transactionId" uuid, kind text, owner text, currency text, amount numeric))
    UPDATE ledger.balance b SET amount = n.amount
    FROM ${valuesTable(rows, Prisma.sql`kind text, owner text, currency text, amount numeric`)} n
    WHERE b.holder = n.owner AND b.kind = n.kind AND b.currency = n.currency`
}

/** Records each movement once, however often it is reported. The system that made it has decided, so none is refused. */
const record = async (tx: Statements, table: EntryTable, movements: readonly Movement[]): Promise<void> => {
  if (movements.length === 0) return
  await tx.$executeRaw`
    WITH entered AS (
      INSERT INTO ${table} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(movements)}::jsonb)
        AS e ("transactionId" uuid, kind text, owner text, currency text, amount numeric)
      ON CONFLICT DO NOTHING RETURNING kind, holder, currency, amount)
    INSERT INTO ledger.balance AS b (kind, holder, currency, amount, elsewhere)
    SELECT kind, holder, currency, sum(amount), TRUE FROM entered
    GROUP BY holder, kind, currency ORDER BY holder, kind, currency
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = b.amount + excluded.amount, elsewhere = TRUE`
}

/** Records the movements of orders that an outside system carried out. */
export const recordMovements = (tx: Statements, orders: readonly ChargeOrder[]): Promise<void> =>
  record(tx, ENTRIES, orders.flatMap(movementOf))

/** Records that an outside system took an order back. */
export const recordReversal = (tx: Statements, order: ChargeOrder): Promise<void> =>
  record(tx, REVERSALS, movementOf(oppositeOf(order)))
