/** The graph: each field of `schema/postpaid-billing.graphql` as a call of the service or a loader. */

import { phoneInContext } from '../shared/access/phone-context.ts'
import type { App } from '../shared/context/app.ts'
import { readDocument } from '../shared/contract/openapi.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { customerOf, existingSubscriber } from '../shared/graph/directory-entities.ts'
import { customerFields, lineFields, subscriberFields } from '../shared/graph/directory-fields.ts'
import { msisdnOf } from '../shared/graph/entities.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { metaDataFields, moneyFields } from '../shared/graph/money-fields.ts'
import { createInputValidator } from '../shared/graph/mutation-input.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment } from './rest.generated.ts'
import type { CustomerQuery, PaymentService } from './service.ts'

export const resolvers = (app: App, service: PaymentService): Resolvers => {
  const createPayment = createInputValidator<CreateBillPayment>(
    readDocument('postpaid-billing'),
    'createPayment',
  )
  const phone = (path: string, text: string | undefined) =>
    text === undefined ? null : showPhone(parsePhone(path, text, app.config.countryCode))
  return {
    Query: {
      subscriber: async (_, { mobileNumber }, context) => {
        phoneInContext(context.caller.principal, mobileNumber.slice(1))
        return existingSubscriber(mobileNumber.slice(1), context)
      },
      customer: async (_, query, context) => {
        const { accountNumber } = await service.inquireCustomer(context.caller, query as CustomerQuery)
        return customerOf(accountNumber, context)
      },
      payment: (_, { paymentId }, { caller }) => nullIfNotFound(service.getPayment(caller, paymentId)),
      payments: (_, args, context) => connectionOfAll(app, PAYMENT, args, context),
    },
    Mutation: {
      createPayment: (_, { input }, { caller }) =>
        service.createPayment(caller, createPayment(caller, input)),
    },
    Customer: {
      ...customerFields,
      payments: ({ customerAccountNumber }, args, context) =>
        connectionOf(PAYMENT, 'accountNumber', customerAccountNumber, args, context),
    },
    Subscriber: {
      ...subscriberFields,
      payments: (parent, args, context) =>
        connectionOf(PAYMENT, 'mobileNumber', msisdnOf(parent), args, context),
    },
    Line: lineFields,
    Payment: {
      ...transactionFields(PAYMENT),
      __resolveReference: ({ paymentId }, { loaders }) => loaders.transaction.load(paymentId),
      paymentId: ({ id }) => id,
      paymentTransaction: ({ body }) => body as CreateBillPayment['paymentTransaction'],
      paymentCreationDate: ({ createdAt }) => createdAt,
      paymentDate: ({ status, completedAt }) => (status === 'succeeded' ? completedAt : null),
    },
    ...eventResolvers(app, PAYMENT),
    CustomerInfo: {
      phoneNumber: ({ phoneNumber }) => phone('phoneNumber', phoneNumber),
    },
    PaymentInformation: moneyFields,
    PaymentItem: moneyFields,
    PaymentMetaData: metaDataFields,
  }
}
