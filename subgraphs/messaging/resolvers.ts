/** The graph: each field of `schema/messaging.graphql` as a call of the service or a loader. */
import type { App } from '../shared/context/app.ts'
import { transactionResolvers } from '../shared/graph/transaction-resolvers.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import { smsParts } from '../shared/values/sms.ts'
import { batchFields, batchProgress, batchProgressFields, batchQuery } from './batches/graph.ts'
import { createBatch } from './batches/send.ts'
import { createBatches } from './batches/store.ts'
import type { Resolvers } from './graph.generated.ts'
import { MESSAGE } from './kind.ts'
import type { MessageBody } from './rules.ts'
import { expiryOf, type MessageRow, type MessageService } from './service.ts'

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
  const messages = transactionResolvers(app, MESSAGE, service)
  const batches = createBatches(app)
  const sendBatch = createBatch(app, service, batches, messages.validateInput)
  return {
    Query: { ...messages.query, smsBatch: batchQuery(batches) },
    Mutation: {
      ...messages.mutation,
      sendSmsBatch: (_, { input }, { caller }) => sendBatch(caller, input),
    },
    Subscriber: messages.subscriber,
    ...messages.events,
    Subscription: { ...messages.events.Subscription, smsBatchProgress: batchProgress(app, batches) },
    SmsBatch: batchFields,
    SmsBatchProgress: batchProgressFields(batches),
    Message: {
      ...messages.entity,
      ...bodyFields,
    },
  }
}
