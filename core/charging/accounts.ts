/** Whether an order's account is still open: of one that is closed no bill can be paid. */
import { Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import type { ChargeOrder, ChargeResult } from './charging.ts'

const namedBy = ({ account, accountNumber }: ChargeOrder) =>
  account === 'open' && accountNumber !== undefined ? [accountNumber] : []

/** Those of the orders' accounts that are closed; nothing is read for orders that do not mind. */
export async function closedAccounts(tx: Statements, orders: readonly ChargeOrder[]): Promise<Set<string>> {
  const numbers = [...new Set(orders.flatMap(namedBy))]
  if (numbers.length === 0) return new Set()
  const given = numbers.map(number => ({ number }))
  const rows = await tx.$queryRaw<{ number: string }[]>`
    SELECT g.number FROM ${valuesTable(given, Prisma.sql`number text`)} g
    JOIN directory.account a ON a.account_number = g.number WHERE a.closed`
  return new Set(rows.map(({ number }) => number))
}

/** Why the account cannot be charged, if it cannot. */
export const accountRefusalOf = (order: ChargeOrder, closed: Set<string>): ChargeResult | undefined =>
  namedBy(order).some(number => closed.has(number))
    ? { outcome: 'declined', reason: `The account ${order.accountNumber} is closed` }
    : undefined
