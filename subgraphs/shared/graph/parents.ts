/** What stands behind the entities that several subgraphs share, while they are resolved. */

declare const SEEN: unique symbol

/** The mark of what the caller may see; `directory/entities.ts` alone gives it. */
interface Seen {
  readonly [SEEN]: true
}

/** A subscriber's key: the number, E.164 with a plus. */
export interface SubscriberKey {
  readonly mobileNumber: string
}

/** A customer's key. */
export interface CustomerKey {
  readonly customerAccountNumber: string
}

/** A mobile number that the caller may see. */
export interface SubscriberParent extends SubscriberKey, Seen {}

/** A customer account that the caller may see. */
export interface CustomerParent extends CustomerKey, Seen {}

/** The digits under which the tables know a subscriber. */
export const digitsOf = ({ mobileNumber }: SubscriberKey): string => mobileNumber.slice(1)
