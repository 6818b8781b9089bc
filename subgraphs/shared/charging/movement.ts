/** The arithmetic of the ledger: which balance an order moves, by how much, and whether it may. */
import { Decimal } from '../values/decimal.ts'
import { type BalanceKey, balanceText } from './balances.ts'
import type { ChargeOrder, ChargeResult } from './charging.ts'

/** How much a balance is moved; each currency has a balance of its own: the ledger exchanges none. */
export interface Movement extends BalanceKey {
  readonly transactionId: string
  readonly amount: Decimal
}

/** The movement an order asks for; an SMS moves nothing. */
export function movementOf(order: ChargeOrder): Movement[] {
  const { transactionId, operation, accountNumber, mobileNumber, currency, amount, points } = order
  switch (operation) {
    case 'payBill':
      return [
        {
          transactionId,
          kind: 'dues',
          holder: accountNumber!,
          currency: currency!,
          amount: amount!.negated(),
        },
      ]
    case 'recharge':
      return [{ transactionId, kind: 'prepaid', holder: mobileNumber!, currency: currency!, amount: amount! }]
    case 'addPoints':
      return [{ transactionId, kind: 'points', holder: mobileNumber!, currency: '', amount: points! }]
    case 'redeemPoints':
      return [
        { transactionId, kind: 'points', holder: mobileNumber!, currency: '', amount: points!.negated() },
      ]
    case 'sendSms':
      return []
  }
}

/** What a balance can hold (`ledger.balance`: 16 digits before the point); far above what anyone owes or owns. */
const BEYOND = new Decimal(10).pow(16)

/** Why the balance may not become this, if it may not. */
const refusalOf = ({ kind, holder }: Movement, balance: Decimal): string | undefined => {
  if (kind === 'points' && balance.isNegative()) return `The points of ${holder} do not suffice`
  if (balance.abs().gte(BEYOND)) return `The balance of ${holder} cannot hold so much`
  return undefined
}

/** Moves the balance unless it would overflow, or points would fall below zero; dues may, which is a credit. */
export function applyMovement(
  order: ChargeOrder,
  balances: Map<string, Decimal>,
  applied: Movement[],
): ChargeResult {
  for (const movement of movementOf(order)) {
    const balance = (balances.get(balanceText(movement)) ?? new Decimal(0)).plus(movement.amount)
    const reason = refusalOf(movement, balance)
    if (reason) return { outcome: 'declined', reason }
    balances.set(balanceText(movement), balance)
    applied.push(movement)
  }
  return { outcome: 'done' }
}
