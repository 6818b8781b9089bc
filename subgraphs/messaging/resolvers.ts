/** The graph: each field of `schema/messaging.graphql` as a call of the service or a loader. */
import type { App } from '#core/context/app.ts'
import { reading } from '#core/graph/transaction-fields.ts'
import { transactionResolvers } from '#core/graph/transaction-resolvers.ts'
import { smsParts } from '#core/values/sms.ts'
import { batchFields, batchProgress, batchProgressFields, batchQuery } from './batches/graph.ts'
import { createBatch } from './batches/send.ts'
import { createBatches } from './batches/store.ts'
import type { Resolvers } from './graph.generated.ts'
import { MESSAGE } from './kind.ts'
import { expiryOf, type MessageBody, type Messages } from './rules.ts'

const ofBody = <Result>(resolve: (body: MessageBody) => Result) =>
  reading(['body'], ({ body }) => resolve(body as MessageBody))

/** Fields of a message as it was sent; a field that was left out has the contract's default. */
const bodyFields = {
  sender: ofBody(({ sender }) => sender),
  recipient: ofBody(({ recipient }) => recipient),
  smsText: ofBody(({ smsText }) => smsText),
  expiryTime: reading(['body', 'createdAt'], ({ body, createdAt }) =>
    expiryOf({ body: body as MessageBody, createdAt }),
  ),
  enableDeliveryReport: ofBody(({ enableDeliveryReport }) => enableDeliveryReport ?? false),
  flashMessage: ofBody(({ flashMessage }) => flashMessage ?? false),
  priority: ofBody(({ priority }) => priority ?? 10),
  smsCount: reading([], () => 1),
  smsParts: ofBody(({ smsText }) => smsParts(smsText)),
}

export const resolvers = (app: App, service: Messages): Resolvers => {
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
