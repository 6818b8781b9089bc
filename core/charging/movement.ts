/** The arithmetic of the ledger: the balance that an order moves, by how much, and whether it may. */
import { Decimal } from '../values/decimal.ts'
import { type BalanceKey, balanceText } from './balances.ts'
import type { BalanceKind, ChargeOrder, ChargeResult } from './charging.ts'

/** A change of one balance; each currency has a balance of its own: the ledger exchanges none. */
export interface Movement extends BalanceKey {
  readonly transactionId: string
  readonly amount: Decimal
}

/** The owner and the amount of a movement of each kind of balance. */
const SHARES: Readonly<
  Record<BalanceKind, (order: ChargeOrder) => Omit<Movement, 'transactionId' | 'kind'>>
> = {
  dues: ({ accountNumber, currency, amount }) => ({
    owner: accountNumber!,
    currency: currency!,
    amount: amount!,
  }),
  prepaid: ({ mobileNumber, currency, amount }) => ({
    owner: mobileNumber!,
    currency: currency!,
    amount: amount!,
  }),
  points: ({ mobileNumber, points }) => ({ owner: mobileNumber!, currency: '', amount: points! }),
}

/** The movement of an order, if it moves anything. */
export function movementOf(order: ChargeOrder): Movement[] {
  if (!order.moves) return []
  const { balance, direction } = order.moves
  const { amount, ...key } = SHARES[balance](order)
  const { transactionId } = order
  return [{ transactionId, kind: balance, ...key, amount: direction === 'up' ? amount : amount.negated() }]
}

/** The bound of a balance (`ledger.balance`: 16 digits before the point), far above what any subscriber owes or owns. */
const BEYOND = new Decimal(10).pow(16)

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })

/** The refusal of a movement that would leave this balance, if it is refused; the reason names no owner, since the order does. */
const refusalOf = ({ kind }: Movement, balance: Decimal): ChargeResult | undefined => {
  if (kind === 'points' && balance.isNegative()) return declined('The points do not suffice')
  if (kind === 'prepaid' && balance.isNegative()) return declined('The balance does not suffice')
  if (balance.abs().lt(BEYOND)) return undefined
  // Points that cannot be given are no refusal of the ledger's (docs/decisions.md, "Life of a transaction").
  const outcome = kind === 'points' ? 'failed' : 'declined'
  return { outcome, reason: 'The balance cannot hold so much' }
}

/** Moves the balance unless it would overflow, or fall below zero; dues alone may, which is a credit. */
export function applyMovement(
  order: ChargeOrder,
  balances: Map<string, Decimal>,
  applied: Movement[],
): ChargeResult {
  for (const movement of movementOf(order)) {
    const balance = (balances.get(balanceText(movement)) ?? new Decimal(0)).plus(movement.amount)
    const refusal = refusalOf(movement, balance)
    if (refusal) return refusal
    balances.set(balanceText(movement), balance)
    applied.push(movement)
  }
  return { outcome: 'done' }
}

const OPPOSITE = { up: 'down', down: 'up' } as const

/** The order that takes back what this one moved. */
export const oppositeOf = ({ moves, ...order }: ChargeOrder): ChargeOrder =>
  moves ? { ...order, moves: { ...moves, direction: OPPOSITE[moves.direction] } } : order
