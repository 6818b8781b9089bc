/**
 * Subscribers and customers as entities of the graph, as their resolvers get them. Only this file makes them, and so it
 * alone decides on visibility: an entity that the caller may not see is null, like one that does not exist.
 */
import { foreignAccount, maySeeCustomer, maySeeSubscriber } from '../access/visibility.ts'
import type { LineRecord } from '../directory/directory.ts'
import { showPhone } from '../values/phone.ts'
import type { GraphContext } from './loaders.ts'

declare const SEEN: unique symbol

/** Mark of an entity that the caller may see; only this file sets it. */
interface Seen {
  readonly [SEEN]: true
}

/** Key of a subscriber: the number, E.164 with a plus. */
export interface SubscriberKey {
  readonly mobileNumber: string
}

/** Key of a customer. */
export interface CustomerKey {
  readonly customerAccountNumber: string
}

/** Mobile number that the caller may see. */
export interface SubscriberEntity extends SubscriberKey, Seen {}

/** Customer account that the caller may see. */
export interface CustomerEntity extends CustomerKey, Seen {}

/** MSISDN of a subscriber, digits without a plus, as in the tables. */
export const msisdnOf = ({ mobileNumber }: SubscriberKey): string => mobileNumber.slice(1)

/** Subscriber of a number, digits with country code; whether it is a line of the operator is not looked up. */
export const subscriberOf = (digits: string, { caller }: GraphContext): SubscriberEntity | null =>
  maySeeSubscriber(caller.principal, digits)
    ? ({ mobileNumber: showPhone(digits) } as SubscriberEntity)
    : null

/** Subscriber of a number that is a line of the operator; null for any other. */
export const existingSubscriber = async (
  digits: string,
  context: GraphContext,
): Promise<SubscriberEntity | null> => {
  const subscriber = subscriberOf(digits, context)
  return subscriber && (await context.loaders.line.load(digits)) ? subscriber : null
}

/** Account of the number that the token is bound to. */
const ownAccount = async ({ caller: { principal }, loaders }: GraphContext): Promise<string | undefined> =>
  principal.phoneNumber === undefined
    ? undefined
    : (await loaders.line.load(principal.phoneNumber))?.accountNumber

/** Customer of an account; whether the account exists is not looked up. */
export const customerOf = async (
  customerAccountNumber: string,
  context: GraphContext,
): Promise<CustomerEntity | null> =>
  maySeeCustomer(context.caller.principal, customerAccountNumber, await ownAccount(context))
    ? ({ customerAccountNumber } as CustomerEntity)
    : null

/** Customer of an account that exists; null for any other. */
export const existingCustomer = async (
  accountNumber: string,
  context: GraphContext,
): Promise<CustomerEntity | null> => {
  const customer = await customerOf(accountNumber, context)
  return customer && (await context.loaders.account.load(accountNumber)) ? customer : null
}

/** Lines of an account that the caller may see: without phone numbers of other subscribers. */
export const visibleLines = (lines: readonly LineRecord[], { caller }: GraphContext): LineRecord[] =>
  lines.filter(({ kind, number }) => kind !== 'phone' || maySeeSubscriber(caller.principal, number))

/** Finds the subscriber of a reference, in a subgraph that knows the directory. */
export const findSubscriber = (key: SubscriberKey, context: GraphContext) =>
  existingSubscriber(msisdnOf(key), context)

/** Finds the customer of a reference, in a subgraph that knows the directory. */
export const findCustomer = ({ customerAccountNumber }: CustomerKey, context: GraphContext) =>
  existingCustomer(customerAccountNumber, context)

/** @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT for an account that is not the bound number's. */
export const checkAccountInContext = async (accountNumber: string, context: GraphContext): Promise<void> => {
  if (!(await customerOf(accountNumber, context))) throw foreignAccount('filter.customerAccountNumber')
}
