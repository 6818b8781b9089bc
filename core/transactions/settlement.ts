/** Settlement: what a service adds to settling, and the order that the charging system gets for a transaction. */

import type { ChargeOrder, ChargeResult } from '../charging/charging.ts'
import type { Prisma } from '../data/db.ts'
import { toDecimal } from '../values/decimal.ts'
import type { TransactionKind, TransactionRow } from './kind.ts'

/** What a service adds to settling: until when it may be done, and the status that each progress and each result means. */
export interface Settlement<Body = never> {
  readonly kind: TransactionKind
  /** After this time it must not be carried out any more; absent where it may be at any time. */
  expiresAt?(row: TransactionRow<Body>): Date
  /** The final status for what became of the order. */
  readonly statusFor: Readonly<Record<ChargeResult['outcome'], string>>
  /** The status while the charging system holds the order, pending or reserved; absent where the kind has none for it. */
  readonly heldAs?: Readonly<Partial<Record<'pending' | 'reserved', string>>>
  /** One sentence for whom it may concern when the order was carried out. */
  readonly done: string
}

const exact = (number: Prisma.Decimal | null) => (number === null ? undefined : toDecimal(String(number)))

/** What is asked of the charging system: all that the row says of whom and how much. */
export const orderOf = (
  { kind, expiresAt }: Pick<Settlement, 'kind' | 'expiresAt'>,
  row: TransactionRow<never>,
): ChargeOrder => ({
  transactionId: row.id,
  ...kind.charge,
  accountNumber: row.accountNumber ?? undefined,
  mobileNumber: row.mobileNumber ?? undefined,
  currency: row.currency ?? undefined,
  amount: exact(row.amount),
  points: exact(row.points),
  expiresAt: expiresAt?.(row),
})
