/** The graph: each field of `schema/postpaid-billing.graphql` as a call of the service or a loader. */
import { phoneInContext, READERS, requireRole } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { connectionOf, selectedPage } from '#core/graph/connections.ts'
import { createCustomerList } from '#core/graph/customer-list.ts'
import {
  accountInContext,
  customerFields,
  customerOf,
  existingSubscriber,
  lineFields,
  lineOnPage,
  msisdnOf,
  subscriberFields,
  toCustomers,
} from '#core/graph/directory-fields.ts'
import { metaDataFields, moneyFields, reading } from '#core/graph/transaction-fields.ts'
import { dateOf, transactionResolvers } from '#core/graph/transaction-resolvers.ts'
import { statusesOf, tableOf } from '#core/transactions/kind.ts'
import { parsePhone, showPhone } from '#core/values/phone.ts'
import { type CustomerQuery, inquireCustomer } from './customers/inquiry.ts'
import type { Resolvers } from './graph.generated.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment } from './rest.generated.ts'
import type { Payments } from './rules.ts'

const directoryQueries = (
  app: App,
  list = createCustomerList(app.db, app.directory, {
    table: tableOf(PAYMENT),
    carriedOut: statusesOf(PAYMENT, ['COMPLETED']),
  }),
): Pick<NonNullable<Resolvers['Query']>, 'subscriber' | 'customer' | 'customers'> => ({
  subscriber: async (_, { mobileNumber }, context) => {
    phoneInContext(context.caller.principal, 'mobileNumber', mobileNumber.slice(1))
    return existingSubscriber(mobileNumber.slice(1), context)
  },
  customer: async (_, query, context) => {
    const { accountNumber } = await inquireCustomer(app, context.caller, query as CustomerQuery)
    return customerOf(accountNumber, context)
  },
  customers: async (_, args, context) => {
    const within = await accountInContext(context)
    requireRole(context.caller.principal, READERS, 'customers')
    return toCustomers(await list(args, { countryCode: app.config.countryCode, within }), context)
  },
})

const customerInfo = ({ countryCode }: App['config']): Resolvers['CustomerInfo'] => ({
  phoneNumber: ({ phoneNumber }) =>
    phoneNumber === undefined ? null : showPhone(parsePhone('phoneNumber', phoneNumber, countryCode)),
})

export const resolvers = (app: App, service: Payments): Resolvers => {
  const payments = transactionResolvers(app, PAYMENT, service)
  const selected = selectedPage(PAYMENT)
  return {
    Query: { ...payments.query, ...directoryQueries(app) },
    Mutation: payments.mutation,
    Customer: {
      ...customerFields,
      payments: ({ customerAccountNumber }, args, context, info) =>
        connectionOf(PAYMENT, 'accountNumber', customerAccountNumber, args, context, selected(info)),
    },
    Subscriber: {
      ...subscriberFields,
      ...payments.subscriber,
      payments: async (parent, args, context, info) => {
        const line = await lineOnPage(parent, args, context)
        const [by, owner] =
          line === undefined ? (['mobileNumber', msisdnOf(parent)] as const) : (['line', line] as const)
        return connectionOf(PAYMENT, by, owner, args, context, selected(info))
      },
    },
    Line: lineFields,
    Payment: {
      ...payments.entity,
      paymentTransaction: reading(['body'], ({ body }) => body as CreateBillPayment['paymentTransaction']),
      paymentCreationDate: reading(['createdAt'], ({ createdAt }) => createdAt),
      paymentDate: dateOf('succeeded'),
    },
    ...payments.events,
    CustomerInfo: customerInfo(app.config),
    PaymentInformation: moneyFields,
    PaymentItem: moneyFields,
    PaymentMetaData: metaDataFields,
  }
}
