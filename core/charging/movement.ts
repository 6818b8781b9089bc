/** The arithmetic of the ledger: which balance an order moves, by how much, and whether it may. */
import { Decimal } from '../values/decimal.ts'
import { type BalanceKey, balanceText } from './balances.ts'
import type { BalanceKind, ChargeOrder, ChargeResult } from './charging.ts'

/** How much a balance is moved; each currency has a balance of its own: the ledger exchanges none. */
export interface Movement extends BalanceKey {
  readonly transactionId: string
  readonly amount: Decimal
}

/** Whose balance of each kind is moved, and by how much. */
const SHARES: Readonly<
  Record<BalanceKind, (order: ChargeOrder) => Omit<Movement, 'transactionId' | 'kind'>>
> = {
  dues: ({ accountNumber, currency, amount }) => ({
    holder: accountNumber!,
    currency: currency!,
    amount: amount!,
  }),
  prepaid: ({ mobileNumber, currency, amount }) => ({
    holder: mobileNumber!,
    currency: currency!,
    amount: amount!,
  }),
  points: ({ mobileNumber, points }) => ({ holder: mobileNumber!, currency: '', amount: points! }),
}

/** The movement an order asks for, if any. */
export function movementOf(order: ChargeOrder): Movement[] {
  if (!order.moves) return []
  const { balance, direction } = order.moves
  const { amount, ...key } = SHARES[balance](order)
  const { transactionId } = order
  return [{ transactionId, kind: balance, ...key, amount: direction === 'up' ? amount : amount.negated() }]
}

/** What a balance can hold (`ledger.balance`: 16 digits before the point); far above what anyone owes or owns. */
const BEYOND = new Decimal(10).pow(16)

const declined = (reason: string): ChargeResult => ({ outcome: 'declined', reason })

/** Why the balance may not become this, if it may not; whose it is stands in the order. */
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
