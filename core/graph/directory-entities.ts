/**
 * Subscribers and customers as entities of the graph: the only place that makes one, and so the only one that decides
 * whether the caller may see it. One that it may not see is null, as one that is not there.
 */
import { foreignAccount, maySeeCustomer, maySeeSubscriber } from '../access/visibility.ts'
import type { LineRecord } from '../directory/directory.ts'
import { showPhone } from '../values/phone.ts'
import {
  type CustomerEntity,
  type CustomerKey,
  msisdnOf,
  type SubscriberEntity,
  type SubscriberKey,
} from './entities.ts'
import type { GraphContext } from './loaders.ts'

/** The subscriber of a number, as digits with country code; whether it is a line is not looked up. */
export const subscriberOf = (digits: string, { caller }: GraphContext): SubscriberEntity | null =>
  maySeeSubscriber(caller.principal, digits)
    ? ({ mobileNumber: showPhone(digits) } as SubscriberEntity)
    : null

/** The subscriber, if the number is a line of the operator. */
export const existingSubscriber = async (
  digits: string,
  context: GraphContext,
): Promise<SubscriberEntity | null> => {
  const subscriber = subscriberOf(digits, context)
  return subscriber && (await context.loaders.line.load(digits)) ? subscriber : null
}

/** The account of the number that the token is bound to. */
const ownAccount = async ({ caller: { principal }, loaders }: GraphContext): Promise<string | undefined> =>
  principal.phoneNumber === undefined
    ? undefined
    : (await loaders.line.load(principal.phoneNumber))?.accountNumber

/** The customer of an account; whether it is there is not looked up. */
export const customerOf = async (
  customerAccountNumber: string,
  context: GraphContext,
): Promise<CustomerEntity | null> =>
  maySeeCustomer(context.caller.principal, customerAccountNumber, await ownAccount(context))
    ? ({ customerAccountNumber } as CustomerEntity)
    : null

/** The customer, if the account is one of the operator's. */
export const existingCustomer = async (
  accountNumber: string,
  context: GraphContext,
): Promise<CustomerEntity | null> => {
  const customer = await customerOf(accountNumber, context)
  return customer && (await context.loaders.account.load(accountNumber)) ? customer : null
}

/** Of an account's lines those that the caller may see: of another's phone numbers none. */
export const visibleLines = (lines: readonly LineRecord[], { caller }: GraphContext): LineRecord[] =>
  lines.filter(({ kind, number }) => kind !== 'phone' || maySeeSubscriber(caller.principal, number))

/** How a subgraph that knows the directory finds the entity of a reference. */
export const findSubscriber = (key: SubscriberKey, context: GraphContext) =>
  existingSubscriber(msisdnOf(key), context)

/** How a subgraph that knows the directory finds the entity of a reference. */
export const findCustomer = ({ customerAccountNumber }: CustomerKey, context: GraphContext) =>
  existingCustomer(customerAccountNumber, context)

/** @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT for an account that is not the bound number's. */
export const checkAccountInContext = async (accountNumber: string, context: GraphContext): Promise<void> => {
  if (!(await customerOf(accountNumber, context))) throw foreignAccount('filter.customerAccountNumber')
}
