/** Customers, subscribers and lines in the graph, as far as the directory knows them. */
import { duesKey } from '../charging/balances.ts'
import type { AccountRecord, LineRecord } from '../directory/directory.ts'
import { showPhone } from '../values/phone.ts'
import { customerOf, findCustomer, findSubscriber, subscriberOf, visibleLines } from './directory-entities.ts'
import { type CustomerEntity, msisdnOf, type SubscriberEntity } from './entities.ts'
import type { GraphContext, Loaders } from './loaders.ts'

/** The contract's customer types (contract document 1, "Customer"); a mobile number of any other is postpaid. */
const KIND_OF_CUSTOMER_TYPE = { 9: 'POSTPAID', 11: 'FAX', 12: 'DATA', 14: 'PREPAID' } as const

const LINE_TYPES = { phone: 'PHONE', fixedline: 'FIXEDLINE', internetAccount: 'INTERNET_ACCOUNT' } as const

type CustomerType = keyof typeof KIND_OF_CUSTOMER_TYPE

const ofAccount =
  <Field extends keyof AccountRecord>(field: Field) =>
  async (parent: CustomerEntity, _: unknown, { loaders }: GraphContext) =>
    (await loaders.account.load(parent.customerAccountNumber))?.[field] ?? null

/** A subscriber is only ever made from a line that exists. */
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
