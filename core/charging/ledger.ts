/** The embedded charging system: a ledger in the same database, one entry a transaction, balances in step. */

import { Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import {
  applyOrder,
  ENTRIES,
  findBooked,
  lockBalances,
  type Movement,
  movementsOf,
  PREPAID_CUSTOMER_TYPE,
  REVERSALS,
  reverseOrder,
  writeMovements,
} from './booking.ts'
import type { ChargeOrder, ChargeResult, EmbeddedCharging } from './charging.ts'

const DONE: ChargeResult = { outcome: 'done' }

interface LineState {
  readonly active: boolean
  readonly customerType: number | null
}

/** Reads the phone lines that orders name, by their numbers; nothing is read for orders that need none. */
const readLines = async (tx: Statements, orders: readonly ChargeOrder[]): Promise<Map<string, LineState>> => {
  const numbers = [...new Set(orders.flatMap(order => (order.line ? [order.mobileNumber!] : [])))]
  if (numbers.length === 0) return new Map()
  const given = numbers.map(number => ({ number }))
  const rows = await tx.$queryRaw<(LineState & { number: string })[]>(Prisma.sql`
    SELECT l.number, l.active, a.customer_type AS "customerType"
    FROM ${valuesTable(given, Prisma.sql`number text`)} g JOIN directory.line l USING (number)
    JOIN directory.account a USING (account_number) WHERE l.kind = 'phone'`)
  return new Map(rows.map(row => [row.number, row]))
}

/** Account that must be open for an order: no bill of a closed one can be paid. */
const openAccountOf = ({ account, accountNumber }: ChargeOrder) =>
  account === 'open' ? accountNumber : undefined

/** Reads the closed ones among the accounts that orders need open; nothing is read for other orders. */
const readClosedAccounts = async (tx: Statements, orders: readonly ChargeOrder[]): Promise<Set<string>> => {
  const numbers = [...new Set(orders.map(openAccountOf).filter(number => number !== undefined))]
  if (numbers.length === 0) return new Set()
  const given = numbers.map(number => ({ number }))
  const rows = await tx.$queryRaw<{ number: string }[]>`
    SELECT g.number FROM ${valuesTable(given, Prisma.sql`number text`)} g
    JOIN directory.account a ON a.account_number = g.number WHERE a.closed`
  return new Set(rows.map(({ number }) => number))
}

/** The reason why an order cannot be carried out, if it cannot: its time, its line, or its account. */
const refusalOf = (
  order: ChargeOrder,
  lines: Map<string, LineState>,
  closed: Set<string>,
): ChargeResult | undefined => {
  const { expiresAt, mobileNumber, accountNumber } = order
  if (expiresAt && expiresAt <= new Date())
    return { outcome: 'expired', reason: 'The expiry time had passed before the message could be sent' }
  const line = order.line && lines.get(mobileNumber!)
  if (order.line && !line?.active) {
    // A line that points or money are taken from is declined; one that would be given some fails (docs/decisions.md).
    const outcome = order.moves?.direction === 'down' ? 'declined' : 'failed'
    return { outcome, reason: `${mobileNumber} is not an active mobile number` }
  }
  if (order.line === 'prepaid' && line?.customerType !== PREPAID_CUSTOMER_TYPE)
    return { outcome: 'declined', reason: `${mobileNumber} is not a prepaid number` }
  const account = openAccountOf(order)
  if (account !== undefined && closed.has(account))
    return { outcome: 'declined', reason: `The account ${accountNumber} is closed` }
  return undefined
}

const post = async (tx: Statements, orders: readonly ChargeOrder[]): Promise<ChargeResult[]> => {
  const ids = orders.map(({ transactionId }) => transactionId)
  const [done, lines, closed] = await Promise.all([
    findBooked(tx, ENTRIES, ids),
    readLines(tx, orders),
    readClosedAccounts(tx, orders),
  ])
  const settled = orders.map(order =>
    done.has(order.transactionId) ? DONE : refusalOf(order, lines, closed),
  )
  const balances = await lockBalances(
    tx,
    orders.flatMap((order, index) => (settled[index] ? [] : movementsOf(order))),
  )
  const applied: Movement[] = []
  const results = orders.map((order, index) => settled[index] ?? applyOrder(order, balances, applied))
  await writeMovements(tx, ENTRIES, applied, balances)
  return results
}

/** Takes an order back; it is declined, and nothing moves, where what was given is spent by now. */
const reverse = async (tx: Statements, order: ChargeOrder): Promise<ChargeResult> => {
  const done = await findBooked(tx, REVERSALS, [order.transactionId])
  if (done.size > 0) return DONE
  const opposite = reverseOrder(order)
  const balances = await lockBalances(tx, movementsOf(opposite))
  const applied: Movement[] = []
  const result = applyOrder(opposite, balances, applied)
  await writeMovements(tx, REVERSALS, applied, balances)
  return result
}

/** The embedded default: exact balances, each transaction applied once (its id is the entry's key). */
export const createLedger = (): EmbeddedCharging => ({ embedded: true, post, reverse })
