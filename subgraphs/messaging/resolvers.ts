/** The graph: each field of `schema/messaging.graphql` as a call of the service or a loader. */
import type { App } from '../shared/context/app.ts'
import { transactionResolvers } from '../shared/graph/transaction-resolvers.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import { smsParts } from '../shared/values/sms.ts'
import type { Resolvers } from './graph.generated.ts'
import { MESSAGE } from './kind.ts'
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
  const messages = transactionResolvers(app, MESSAGE, service)
  const sendBatch = createBatch(app, service, messages.validateInput)
  return {
    Query: messages.query,
    Mutation: {
      ...messages.mutation,
      sendSmsBatch: (_, { input }, { caller }) => sendBatch(caller, input),
    },
    Subscriber: messages.subscriber,
    ...messages.events,
    Message: {
      ...messages.entity,
      ...bodyFields,
    },
  }
}
