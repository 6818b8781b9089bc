/** What an outside charging system has moved, noted in the ledger's books: that balances in the graph say so. */
import type { Transaction } from '../data/db.ts'
import type { ChargeOrder } from './charging.ts'
import { movementOf } from './movement.ts'

/**
 * Notes what these orders moved, each once, however often it is noted. The system that moved it has decided that it may
 * be, so nothing is refused here.
 */
export async function noteMovements(tx: Transaction, orders: readonly ChargeOrder[]): Promise<void> {
  const movements = orders.flatMap(movementOf)
  if (movements.length === 0) return
  await tx.$executeRaw`
    WITH entered AS (
      INSERT INTO ledger.entry (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(movements)}::jsonb)
        AS e ("transactionId" uuid, kind text, holder text, currency text, amount numeric)
      ON CONFLICT DO NOTHING RETURNING kind, holder, currency, amount)
    INSERT INTO ledger.balance AS b (kind, holder, currency, amount, elsewhere)
    SELECT kind, holder, currency, sum(amount), TRUE FROM entered
    GROUP BY holder, kind, currency ORDER BY holder, kind, currency
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = b.amount + excluded.amount, elsewhere = TRUE`
}
