/** The graph: each field of `schema/messaging.graphql` as a call of the service or a loader. */
import type { App } from '../shared/context/app.ts'
import { fromEventCursor } from '../shared/events/cursor.ts'
import type { EventRow } from '../shared/events/event.ts'
import { NewestEvents } from '../shared/events/newest.ts'
import { eventFields } from '../shared/graph/event-fields.ts'
import type { GraphContext } from '../shared/graph/loaders.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionResolvers } from '../shared/graph/transaction-resolvers.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import { smsParts } from '../shared/values/sms.ts'
import { type Batches, type BatchProgress, type BatchRow, createBatches } from './batches.ts'
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

/** Who watches a batch sees it anew at most so often, whatever number of its messages come to an end. */
const PROGRESS_REST_MS = 250

interface ProgressArgs {
  readonly batchId: string
  readonly after?: string | null
}

/** Each event of one of its messages says that a batch has changed; what it has come to is read then. */
const batchProgress = (app: App, batches: Batches) => ({
  subscribe: async (_: unknown, { batchId, after }: ProgressArgs, { caller }: GraphContext) => {
    const { clientId, clientCorrelatorId } = await batches.get(caller, batchId)
    const filter = { clientId, kinds: [MESSAGE.name], numberedAfter: `${clientCorrelatorId}-` }
    const events = await app.feed.subscribe(
      filter,
      after == null ? undefined : fromEventCursor('after', after),
    )
    return new NewestEvents(events, PROGRESS_REST_MS)
  },
  resolve: (event: EventRow, { batchId }: ProgressArgs): BatchProgress => ({ ...event, batchId }),
})

const batchFields = {
  pending: ({ accepted, sent, failed }: BatchRow) => accepted - sent - failed,
  complete: ({ refused, accepted, sent, failed }: BatchRow) => refused !== null && accepted === sent + failed,
}

export const resolvers = (app: App, service: MessageService): Resolvers => {
  const messages = transactionResolvers(app, MESSAGE, service)
  const batches = createBatches(app)
  const sendBatch = createBatch(app, service, batches, messages.validateInput)
  return {
    Query: {
      ...messages.query,
      smsBatch: (_, { batchId }, { caller }) => nullIfNotFound(batches.get(caller, batchId)),
    },
    Mutation: {
      ...messages.mutation,
      sendSmsBatch: (_, { input }, { caller }) => sendBatch(caller, input),
    },
    Subscriber: messages.subscriber,
    ...messages.events,
    Subscription: { ...messages.events.Subscription, smsBatchProgress: batchProgress(app, batches) },
    SmsBatch: batchFields,
    SmsBatchProgress: {
      ...eventFields,
      batch: ({ batchId }, _, { caller }) => batches.get(caller, batchId),
    },
    Message: {
      ...messages.entity,
      ...bodyFields,
    },
  }
}
