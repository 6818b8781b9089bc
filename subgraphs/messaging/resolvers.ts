/** The graph: each field of `schema/messaging.graphql` as a call of the service or a loader. */
import type { App } from '../shared/context/app.ts'
import { readDocument } from '../shared/contract/openapi.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { subscriberFields } from '../shared/graph/directory-fields.ts'
import { msisdnOf } from '../shared/graph/entities.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { createInputValidator } from '../shared/graph/mutation-input.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import { smsParts } from '../shared/values/sms.ts'
import type { Resolvers } from './graph.generated.ts'
import { MESSAGE } from './kind.ts'
import type { CreateSendSingleSms } from './rest.generated.ts'
import type { MessageBody } from './rules.ts'
import { createBatch, expiryOf, type MessageRow, type MessageService } from './service.ts'

const bodyOf = ({ body }: TransactionRow) => body as MessageBody

/** What a message was sent with; what was not said has the contract's default. */
const bodyFields = {
  sender: (row: TransactionRow) => bodyOf(row).sender,
  recipient: (row: TransactionRow) => bodyOf(row).recipient,
  smsText: (row: TransactionRow) => bodyOf(row).smsText,
  expiryTime: (row: TransactionRow) => expiryOf(row as MessageRow),
  enableDeliveryReport: (row: TransactionRow) => bodyOf(row).enableDeliveryReport ?? false,
  flashMessage: (row: TransactionRow) => bodyOf(row).flashMessage ?? false,
  priority: (row: TransactionRow) => bodyOf(row).priority ?? 10,
  smsCount: () => 1,
  smsParts: (row: TransactionRow) => smsParts(bodyOf(row).smsText),
}

export const resolvers = (app: App, service: MessageService): Resolvers => {
  const sendSms = createInputValidator<CreateSendSingleSms>(readDocument('messaging'), 'sendSms')
  const sendBatch = createBatch(app, service, sendSms)
  return {
    Query: {
      message: (_, { otlTransactionId }, { caller }) =>
        nullIfNotFound(service.getMessage(caller, otlTransactionId)),
      messages: (_, args, context) => connectionOfAll(app, MESSAGE, args, context),
    },
    Mutation: {
      sendSms: (_, { input }, { caller }) => service.sendSms(caller, sendSms(caller, input)),
      sendSmsBatch: (_, { input }, { caller }) => sendBatch(caller, input),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      messages: (parent, args, context) =>
        connectionOf(MESSAGE, 'mobileNumber', msisdnOf(parent), args, context),
    },
    ...eventResolvers(app, MESSAGE),
    Message: {
      ...transactionFields(MESSAGE),
      ...bodyFields,
      __resolveReference: ({ otlTransactionId }, { loaders }) => loaders.transaction.load(otlTransactionId),
      otlTransactionId: ({ id }) => id,
    },
  }
}
