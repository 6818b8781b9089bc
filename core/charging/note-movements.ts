/** What an outside charging system has moved, noted in the ledger's books: that balances in the graph say so. */
import type { Statements } from '../data/db.ts'
import { ENTRIES, REVERSALS } from './booking.ts'
import type { ChargeOrder } from './charging.ts'
import { type Movement, movementOf, oppositeOf } from './movement.ts'

/** Each once, however often it is noted. The system that moved it has decided that it may be, so nothing is refused here. */
const note = async (tx: Statements, book: typeof ENTRIES, movements: readonly Movement[]): Promise<void> => {
  if (movements.length === 0) return
  await tx.$executeRaw`
    WITH entered AS (
      INSERT INTO ${book} (transaction_id, kind, holder, currency, amount)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(movements)}::jsonb)
        AS e ("transactionId" uuid, kind text, holder text, currency text, amount numeric)
      ON CONFLICT DO NOTHING RETURNING kind, holder, currency, amount)
    INSERT INTO ledger.balance AS b (kind, holder, currency, amount, elsewhere)
    SELECT kind, holder, currency, sum(amount), TRUE FROM entered
    GROUP BY holder, kind, currency ORDER BY holder, kind, currency
    ON CONFLICT (holder, kind, currency) DO UPDATE SET amount = b.amount + excluded.amount, elsewhere = TRUE`
}

/** Notes what these orders moved. */
export const noteMovements = (tx: Statements, orders: readonly ChargeOrder[]): Promise<void> =>
  note(tx, ENTRIES, orders.flatMap(movementOf))

/** Notes that what this order moved was taken back. */
export const noteReversal = (tx: Statements, order: ChargeOrder): Promise<void> =>
  note(tx, REVERSALS, movementOf(oppositeOf(order)))
