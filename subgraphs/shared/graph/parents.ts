/** What stands behind the entities that several subgraphs share, while they are resolved. */

/** A mobile number, as in the entity's key: E.164 with a plus. */
export interface SubscriberParent {
  readonly mobileNumber: string
}

/** A customer account, as in the entity's key. */
export interface CustomerParent {
  readonly customerAccountNumber: string
}

/** The digits under which the tables know a subscriber. */
export const digitsOf = ({ mobileNumber }: SubscriberParent): string => mobileNumber.slice(1)
