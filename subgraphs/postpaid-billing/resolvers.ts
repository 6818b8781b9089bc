/** The graph: each field of `schema/postpaid-billing.graphql` as a call of the service or a loader. */
import type { App } from '../shared/app.ts'
import { duesKey } from '../shared/charging/balances.ts'
import { ServiceError } from '../shared/errors.ts'
import type { AccountRecord, LineRecord } from '../shared/directory/directory.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { openDoor } from '../shared/graph/door.ts'
import { orNull } from '../shared/graph/absent.ts'
import { type CustomerParent, digitsOf, type SubscriberParent } from '../shared/graph/parents.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { readDocument } from '../shared/http/contract.ts'
import { phoneInContext } from '../shared/access/phone-context.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { CustomerInfoResolvers, CustomerResolvers, LineKind, LineType, Resolvers } from './graph.generated.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment } from './rest.generated.ts'
import type { PaymentRow, PaymentService } from './service.ts'

/** The contract's customer types (contract document 1, "Customer"). */
const KIND_OF_CUSTOMER_TYPE: Record<number, LineKind> = { 9: 'POSTPAID', 11: 'FAX', 12: 'DATA', 14: 'PREPAID' }

const LINE_TYPES: Record<LineRecord['kind'], LineType> = {
  phone: 'PHONE',
  fixedline: 'FIXEDLINE',
  internetAccount: 'INTERNET_ACCOUNT',
}

const toSubscriber = ({ number }: LineRecord): SubscriberParent => ({ mobileNumber: showPhone(number) })
const toCustomer = ({ accountNumber }: AccountRecord): CustomerParent => ({ customerAccountNumber: accountNumber })

/** A field of the account behind a customer. */
const ofAccount =
  <Field extends keyof AccountRecord>(field: Field): CustomerResolvers[never] =>
  async ({ customerAccountNumber }: CustomerParent, _: unknown, { loaders }: { loaders: AccountLoader }) =>
    (await loaders.account.load(customerAccountNumber))?.[field] ?? null

const customer: CustomerResolvers = {
  __resolveReference: async (reference, { loaders }) =>
    (await loaders.account.load(reference.customerAccountNumber)) && reference,
  customerName: ofAccount('customerName'),
  customerStatus: ofAccount('customerStatus'),
  customerType: ofAccount('customerType'),
  acctCategory: ofAccount('acctCategory'),
  collectionIndicator: ofAccount('collectionIndicator'),
  custAddr1: ofAccount('custAddr1'),
  custAddr2: ofAccount('custAddr2'),
  custAddr3: ofAccount('custAddr3'),
  totalDues: ({ customerAccountNumber }, _, { loaders }) => loaders.balance.load(duesKey(customerAccountNumber)),
  lines: ({ customerAccountNumber }, _, { loaders }) => loaders.linesOfAccount.load(customerAccountNumber),
  subscribers: async ({ customerAccountNumber }, _, { loaders }) =>
    (await loaders.linesOfAccount.load(customerAccountNumber)).filter(({ kind }) => kind === 'phone').map(toSubscriber),
  payments: ({ customerAccountNumber }, args, context) =>
    connectionOf(PAYMENT, 'accountNumber', customerAccountNumber, args, context),
}

const subscriber: Resolvers['Subscriber'] = {
  __resolveReference: async (reference, { loaders }) => (await loaders.line.load(digitsOf(reference))) && reference,
  active: async (parent, _, { loaders }) => (await loaders.line.load(digitsOf(parent)))!.active,
  kind: async (parent, _, { loaders }) => {
    const { accountNumber } = (await loaders.line.load(digitsOf(parent)))!
    const account = await loaders.account.load(accountNumber)
    return KIND_OF_CUSTOMER_TYPE[account?.customerType ?? 9] ?? 'POSTPAID'
  },
  customer: async (parent, _, { loaders }) => {
    const { accountNumber } = (await loaders.line.load(digitsOf(parent)))!
    return { customerAccountNumber: accountNumber }
  },
  payments: (parent, args, context) => connectionOf(PAYMENT, 'mobileNumber', digitsOf(parent), args, context),
}

const line: Resolvers['Line'] = {
  type: ({ kind }) => LINE_TYPES[kind],
  number: ({ kind, number }) => (kind === 'internetAccount' ? number : showPhone(number)),
  subscriber: row => (row.kind === 'phone' ? toSubscriber(row) : null),
}
