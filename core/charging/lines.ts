/** Whether an order can be carried out at all: its line is in use, and its time is not over. */
import { Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import type { ChargeOrder, ChargeResult } from './charging.ts'

/** GSM prepaid (contract document 1, "Customer": customerType). */
export const PREPAID_CUSTOMER_TYPE = 14

export interface LineState {
  readonly active: boolean
  readonly customerType: number | null
}

/** The phone lines that the orders name. */
export async function usableLines(
  tx: Statements,
  orders: readonly ChargeOrder[],
): Promise<Map<string, LineState>> {
  const numbers = [...new Set(orders.flatMap(order => (order.line ? [order.mobileNumber!] : [])))]
  if (numbers.length === 0) return new Map()
  const given = numbers.map(number => ({ number }))
  const rows = await tx.$queryRaw<(LineState & { number: string })[]>(Prisma.sql`
    SELECT l.number, l.active, a.customer_type AS "customerType"
    FROM ${valuesTable(given, Prisma.sql`number text`)} g JOIN directory.line l USING (number)
    JOIN directory.account a USING (account_number) WHERE l.kind = 'phone'`)
  return new Map(rows.map(row => [row.number, row]))
}

/** Why the order cannot be carried out, if it cannot. */
export function refusalOf(order: ChargeOrder, lines: Map<string, LineState>): ChargeResult | undefined {
  if (order.expiresAt && order.expiresAt <= new Date()) {
    return { outcome: 'expired', reason: 'The expiry time had passed before the message could be sent' }
  }
  if (!order.line) return undefined
  const line = lines.get(order.mobileNumber!)
  if (!line?.active) {
    // What would be taken from a line is declined; what would be given to it fails (docs/decisions.md).
    const outcome = order.moves?.direction === 'down' ? 'declined' : 'failed'
    return { outcome, reason: `${order.mobileNumber} is not an active mobile number` }
  }
  if (order.line === 'prepaid' && line.customerType !== PREPAID_CUSTOMER_TYPE) {
    return { outcome: 'declined', reason: `${order.mobileNumber} is not a prepaid number` }
  }
  return undefined
}
