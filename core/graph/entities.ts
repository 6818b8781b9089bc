/** The entities that several subgraphs share, as their resolvers get them. */

declare const SEEN: unique symbol

/** The mark of what the caller may see; `directory-entities.ts` alone gives it. */
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
export interface SubscriberEntity extends SubscriberKey, Seen {}

/** A customer account that the caller may see. */
export interface CustomerEntity extends CustomerKey, Seen {}

/** The MSISDN, digits without a plus, under which the tables know a subscriber. */
export const msisdnOf = ({ mobileNumber }: SubscriberKey): string => mobileNumber.slice(1)
