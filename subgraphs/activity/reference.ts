/** A transaction as the timeline knows it. */
import type { TransactionKind } from '#core/transactions/kind.ts'

/** Its type and its key; whatever else is asked of it, the gateway resolves in the owning subgraph. */
export interface TransactionReference {
  readonly __typename: string
  readonly id: string
  /** The same id under the contract's name, e.g. `paymentId`. */
  readonly [idField: string]: string
}

export const referTo = ({ typename, idField }: TransactionKind, id: string): TransactionReference => ({
  __typename: typename,
  [idField]: id,
  id,
})
