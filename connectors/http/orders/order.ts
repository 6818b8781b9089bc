/**
 * Orders on their way to a charging system outside of the database: the rows of `charging.order`, which are the queue.
 * Whoever calls holds the row's lease, which ends by itself; what a killed process had under way is asked about then, or
 * sent again under the same key.
 */

/** What is known of an order when it is taken: never sent, sent with unknown outcome, or held by the charging system. */
export type OrderState = 'waiting' | 'sent' | 'pending' | 'reserved'

/** An order that this process may call for until its lease ends. */
export interface ClaimedOrder {
  /** The transaction's. */
  readonly id: string
  /** As it was before it was taken. */
  readonly state: OrderState
  /** Calls in this state before this one, that told nothing. */
  readonly attempts: number
  /** Tells this claim from a later one of the same order. */
  readonly lease: string
}
