/** The embedded charging system: a ledger in the same database, one entry a transaction, balances in step. */
import type { Transaction } from '../data/db.ts'
import { type Decimal, toDecimal } from '../values/decimal.ts'
import { type BalanceRow, balanceText } from './balances.ts'
import type { ChargeOrder, ChargeResult, EmbeddedCharging } from './charging.ts'
import { refusalOf, usableLines } from './lines.ts'
import { applyMovement, type Movement, movementOf } from './movement.ts'

const DONE: ChargeResult = { outcome: 'done' }

const appliedBefore = async (tx: Transaction, ids: string[]): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM ledger.entry WHERE transaction_id = ANY (${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/** Locks the balances in one order for all, so that two ledgers never wait for each other; opens missing ones. */
const lockBalances = async (tx: Transaction, movements: Movement[]): Promise<Map<string, Decimal>> => {
  const columns = [
    movements.map(m => m.kind),
    movements.map(m => m.holder),
    movements.map(m => m.currency),
  ] as const
  await tx.$executeRaw`
    INSERT INTO ledger.balance (kind, holder, currency, amount)
    SELECT DISTINCT kind, holder, currency, 0
    FROM unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[]) AS m (kind, holder, currency)
    ORDER BY holder, kind, currency ON CONFLICT DO NOTHING`
  const rows = await tx.$queryRaw<BalanceRow[]>`
    SELECT kind, holder, currency, amount FROM ledger.balance b
    WHERE (holder, kind, currency) IN (
      SELECT holder, kind, currency
      FROM unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[]) AS m (kind, holder, currency))
    ORDER BY holder, kind, currency FOR UPDATE`
  return new Map(rows.map(row => [balanceText(row), toDecimal(String(row.amount))]))
}

const writeMovements = async (tx: Transaction, applied: Movement[], balances: Map<string, Decimal>) => {
  if (applied.length === 0) return
  const changed = [...new Map(applied.map(movement => [balanceText(movement), movement])).values()]
  const rows = changed.map(m => ({ ...m, amount: balances.get(balanceText(m)) }))
  await tx.$executeRaw`
    WITH entries AS (
      INSERT INTO ledger.entry (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(applied)}::jsonb)
        AS e ("transactionId" uuid, kind text, holder text, currency text, amount numeric))
    UPDATE ledger.balance b SET amount = n.amount
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (kind text, holder text, currency text, amount numeric)
    WHERE b.holder = n.holder AND b.kind = n.kind AND b.currency = n.currency`
}

const post = async (tx: Transaction, orders: readonly ChargeOrder[]): Promise<ChargeResult[]> => {
  const done = await appliedBefore(
    tx,
    orders.map(order => order.transactionId),
  )
  const lines = await usableLines(tx, orders)
  const refusals = orders.map(order => (done.has(order.transactionId) ? DONE : refusalOf(order, lines)))
  const movements = orders.flatMap((order, index) => (refusals[index] ? [] : movementOf(order)))
  const balances = movements.length > 0 ? await lockBalances(tx, movements) : new Map<string, Decimal>()
  const applied: Movement[] = []
  const results = orders.map((order, index) => refusals[index] ?? applyMovement(order, balances, applied))
  await writeMovements(tx, applied, balances)
  return results
}

/** The embedded default: exact balances, each transaction applied once (its id is the entry's key). */
export const createLedger = (): EmbeddedCharging => ({ embedded: true, post })
