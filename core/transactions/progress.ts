/**
 * Progress: what the charging system says of an order that it holds becomes a status that is not final, without an
 * event, in the caller's database transaction.
 */

import type { ChargeProgress } from '../charging/charging.ts'
import { Prisma, type Statements } from '../data/db.ts'
import { givenRows } from '../data/given-rows.ts'
import { mayFollow, type TransactionRow, tableOf } from './kind.ts'
import type { Settlement } from './settlement.ts'

/** A transaction, locked by the caller, and how its order is held. */
export interface Progressed {
  readonly row: TransactionRow
  readonly progress: Extract<ChargeProgress, { readonly outcome: 'pending' }>
}

/** A kind without a word for it stays as it is, and so does what has gone further already (reserved, or concluded). */
const toChange = ({ kind, heldAs }: Settlement, { row, progress }: Progressed) => {
  const status = heldAs?.[progress.isReserved ? 'reserved' : 'pending']
  return status !== undefined && mayFollow(kind, row.status, status) ? [{ id: row.id, status }] : []
}

/**
 * Notes that the orders of these transactions are held, of which the caller holds the locks.
 * @returns how many changed their status; the others say so already, or have no word for it.
 */
export async function noteProgress(
  tx: Statements,
  settlement: Settlement,
  progressed: readonly Progressed[],
): Promise<number> {
  const changes = progressed.flatMap(one => toChange(settlement, one))
  if (changes.length === 0) return 0
  return tx.$executeRaw`
    UPDATE ${tableOf(settlement.kind)} t SET status = s.status
    FROM ${givenRows(changes, Prisma.sql`id uuid, status text`)} s WHERE t.id = s.id`
}
