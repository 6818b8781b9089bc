/** The embedded charging system: a ledger in the same database, one entry a transaction, balances in step. */
import type { Statements } from '../data/db.ts'
import { accountRefusalOf, closedAccounts } from './accounts.ts'
import { bookedBefore, ENTRIES, lockBalances, REVERSALS, writeMovements } from './booking.ts'
import type { ChargeOrder, ChargeResult, EmbeddedCharging } from './charging.ts'
import { refusalOf, usableLines } from './lines.ts'
import { applyMovement, type Movement, movementOf, oppositeOf } from './movement.ts'

const DONE: ChargeResult = { outcome: 'done' }

const idsOf = (orders: readonly ChargeOrder[]) => orders.map(({ transactionId }) => transactionId)

/** Why each order is not to be carried out: it cannot be, or it was. */
const refusalsOf = async (tx: Statements, orders: readonly ChargeOrder[]) => {
  const [done, lines, closed] = await Promise.all([
    bookedBefore(tx, ENTRIES, idsOf(orders)),
    usableLines(tx, orders),
    closedAccounts(tx, orders),
  ])
  return orders.map(order =>
    done.has(order.transactionId) ? DONE : (refusalOf(order, lines) ?? accountRefusalOf(order, closed)),
  )
}

const post = async (tx: Statements, orders: readonly ChargeOrder[]): Promise<ChargeResult[]> => {
  const refusals = await refusalsOf(tx, orders)
  const movements = orders.flatMap((order, index) => (refusals[index] ? [] : movementOf(order)))
  const balances = await lockBalances(tx, movements)
  const applied: Movement[] = []
  const results = orders.map((order, index) => refusals[index] ?? applyMovement(order, balances, applied))
  await writeMovements(tx, ENTRIES, applied, balances)
  return results
}

/** What was given may be spent by now: then it is declined, and nothing moves. */
const reverse = async (tx: Statements, order: ChargeOrder): Promise<ChargeResult> => {
  const done = await bookedBefore(tx, REVERSALS, idsOf([order]))
  if (done.size > 0) return DONE
  const opposite = oppositeOf(order)
  const balances = await lockBalances(tx, movementOf(opposite))
  const applied: Movement[] = []
  const result = applyMovement(opposite, balances, applied)
  await writeMovements(tx, REVERSALS, applied, balances)
  return result
}

/** The embedded default: exact balances, each transaction applied once (its id is the entry's key). */
export const createLedger = (): EmbeddedCharging => ({ embedded: true, post, reverse })
