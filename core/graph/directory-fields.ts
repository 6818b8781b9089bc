/**
 * Entities and fields of customers, subscribers and lines that the directory knows, and the arguments by which lists
 * are narrowed to them.
 */

import { foreignAccount, maySeeCustomer, maySeeSubscriber } from '../access/visibility.ts'
import { duesKey } from '../charging/booking.ts'
import type { AccountRecord, LineRecord } from '../directory/directory.ts'
import type { FoundAccounts } from '../directory/search.ts'
import type { CountedConnection } from '../paging/keyset.ts'
import { lineKey } from '../paging/read-page.ts'
import { showPhone } from '../values/phone.ts'
import type { GraphContext, Loaders } from './loaders.ts'

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
export const subscriberOf = (digits: string, { caller }: GraphContext): SubscriberEntity | null => {
  if (!maySeeSubscriber(caller.principal, digits)) return null
  const mobileNumber = showPhone(digits)
  caller.trail.record(mobileNumber)
  return { mobileNumber } as SubscriberEntity
}

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
): Promise<CustomerEntity | null> => {
  const { principal, trail } = context.caller
  if (!maySeeCustomer(principal, customerAccountNumber, await ownAccount(context))) return null
  trail.record(customerAccountNumber)
  return { customerAccountNumber } as CustomerEntity
}

/** Customer of an account that exists; null for any other. */
const existingCustomer = async (
  accountNumber: string,
  context: GraphContext,
): Promise<CustomerEntity | null> => {
  const customer = await customerOf(accountNumber, context)
  return customer && (await context.loaders.account.load(accountNumber)) ? customer : null
}

/** Lines of an account that the caller may see: without phone numbers of other subscribers. */
const visibleLines = (lines: readonly LineRecord[], { caller }: GraphContext): LineRecord[] =>
  lines.filter(({ kind, number }) => kind !== 'phone' || maySeeSubscriber(caller.principal, number))

/** Finds the subscriber of a reference, in a subgraph that knows the directory. */
const findSubscriber = (key: SubscriberKey, context: GraphContext) =>
  existingSubscriber(msisdnOf(key), context)

/** Finds the customer of a reference, in a subgraph that knows the directory. */
const findCustomer = ({ customerAccountNumber }: CustomerKey, context: GraphContext) =>
  existingCustomer(customerAccountNumber, context)

/** @throws ServiceError CARRIER_BILLING.INVALID_TOKEN_CONTEXT for an account that is not the bound number's. */
export const checkAccountInContext = async (accountNumber: string, context: GraphContext): Promise<void> => {
  if (!(await customerOf(accountNumber, context))) throw foreignAccount('filter.customerAccountNumber')
}

/** The contract's customer types (contract document 1, "Customer"); a mobile number of any other is postpaid. */
const KIND_OF_CUSTOMER_TYPE = { 9: 'POSTPAID', 11: 'FAX', 12: 'DATA', 14: 'PREPAID' } as const

const LINE_TYPES = { phone: 'PHONE', fixedline: 'FIXEDLINE', internetAccount: 'INTERNET_ACCOUNT' } as const

type CustomerType = keyof typeof KIND_OF_CUSTOMER_TYPE

const ofAccount =
  <Field extends keyof AccountRecord>(field: Field) =>
  async (parent: CustomerEntity, _: unknown, { loaders }: GraphContext) =>
    (await loaders.account.load(parent.customerAccountNumber))?.[field] ?? null

/** Line of a subscriber; each subscriber is made from a line that exists. */
const lineOf = async (parent: SubscriberEntity, loaders: Loaders): Promise<LineRecord> =>
  (await loaders.line.load(msisdnOf(parent)))!

const linesOf = async ({ customerAccountNumber }: CustomerEntity, context: GraphContext) =>
  visibleLines(await context.loaders.linesOfAccount.load(customerAccountNumber), context)

const subscriberOfLine = ({ kind, number }: LineRecord, context: GraphContext) =>
  kind === 'phone' ? subscriberOf(number, context) : null

export const customerFields = {
  __resolveReference: findCustomer,
  customerName: ofAccount('customerName'),
  customerStatus: ofAccount('customerStatus'),
  customerType: ofAccount('customerType'),
  acctCategory: ofAccount('acctCategory'),
  collectionIndicator: ofAccount('collectionIndicator'),
  custAddr1: ofAccount('custAddr1'),
  custAddr2: ofAccount('custAddr2'),
  custAddr3: ofAccount('custAddr3'),
  closed: async (parent: CustomerEntity, _: unknown, { loaders }: GraphContext) =>
    (await loaders.account.load(parent.customerAccountNumber))?.closed ?? false,
  totalDues: (parent: CustomerEntity, _: unknown, { loaders }: GraphContext) =>
    loaders.balance.load(duesKey(parent.customerAccountNumber)),
  lines: (parent: CustomerEntity, _: unknown, context: GraphContext) => linesOf(parent, context),
  subscribers: async (parent: CustomerEntity, _: unknown, context: GraphContext) => {
    const lines = await linesOf(parent, context)
    return lines.flatMap(line => subscriberOfLine(line, context) ?? [])
  },
}

export const subscriberFields = {
  __resolveReference: findSubscriber,
  active: async (parent: SubscriberEntity, _: unknown, { loaders }: GraphContext) =>
    (await lineOf(parent, loaders)).active,
  kind: async (parent: SubscriberEntity, _: unknown, { loaders }: GraphContext) => {
    const account = await loaders.account.load((await lineOf(parent, loaders)).accountNumber)
    return KIND_OF_CUSTOMER_TYPE[account?.customerType as CustomerType] ?? 'POSTPAID'
  },
  customer: async (parent: SubscriberEntity, _: unknown, context: GraphContext) =>
    customerOf((await lineOf(parent, context.loaders)).accountNumber, context),
}

export const lineFields = {
  type: ({ kind }: LineRecord) => LINE_TYPES[kind],
  number: ({ kind, number }: LineRecord) => (kind === 'internetAccount' ? number : showPhone(number)),
  subscriber: (line: LineRecord, _: unknown, context: GraphContext) => subscriberOfLine(line, context),
}

/** Page of customers with its total. */
export type CustomerPage = CountedConnection<CustomerEntity>

/** Account of the number that the token is bound to, the only one that its search may find; undefined for all accounts. */
export const accountInContext = async ({
  caller: {
    principal: { phoneNumber },
  },
  loaders,
}: GraphContext): Promise<string | undefined> =>
  phoneNumber === undefined ? undefined : ((await loaders.line.load(phoneNumber))?.accountNumber ?? '')

/** Turns found accounts into customers. */
export const toCustomers = async (found: FoundAccounts, context: GraphContext): Promise<CustomerPage> => {
  const edges = await Promise.all(
    found.edges.map(async ({ cursor, node }) => ({
      cursor,
      node: await customerOf(node.accountNumber, context),
    })),
  )
  const seen = edges.flatMap(({ cursor, node }) => (node ? [{ cursor, node }] : []))
  const { pageInfo, totalCount } = found
  return { pageInfo, totalCount, edges: seen, nodes: seen.map(({ node }) => node) }
}

/** The graph's `LineScope`. */
export type LineScope = 'NUMBER' | 'ACCOUNT'

/** Argument of a subscriber's lists. */
export interface LineArgs {
  readonly include?: LineScope | null
}

/**
 * Key of the line with its account (`lineKey`) where a list includes both: on request, and by default where the account
 * has that line alone. Undefined for a list of the number alone, the only one for a token that is bound to a number.
 */
export const lineOnPage = async (
  subscriber: SubscriberKey,
  { include }: LineArgs,
  { caller, loaders }: GraphContext,
): Promise<string | undefined> => {
  if (include === 'NUMBER' || caller.principal.phoneNumber !== undefined) return undefined
  const line = await loaders.line.load(msisdnOf(subscriber))
  if (!line || !(line.isOnly || include === 'ACCOUNT')) return undefined
  return lineKey(line.number, line.accountNumber)
}
