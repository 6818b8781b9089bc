/** Fields of events, and subscriptions to them, resolved alike for every kind. */
import type { GraphQLResolveInfo } from 'graphql'
import type { App } from '../context/app.ts'
import { fromEventCursor, toEventCursor } from '../events/cursor.ts'
import { type EventFilterInput, type EventRow, eventFilterFor } from '../events/event.ts'
import { readBounds } from '../events/read.ts'
import { fieldNameOf, type TransactionKind } from '../transactions/kind.ts'
import { entityColumns } from './connections.ts'
import type { GraphContext } from './loaders.ts'

interface EventArgs {
  readonly filter?: EventFilterInput | null
  readonly after?: string | null
}

/** Fields of an event of any kind. */
export const eventFields = { cursor: ({ position }: EventRow) => toEventCursor(position) }

/** Root fields about events that every subgraph has. */
export const eventQueries = ({ reader }: App) => ({
  latestEventCursor: async () => toEventCursor((await readBounds(reader)).head),
})

/** Makes a subscription to events: its stream is the feed's, and each event is resolved like any object. */
export const eventSubscription = (app: App, idField: string, kinds?: readonly string[]) => ({
  subscribe: (_: unknown, { filter, after }: EventArgs, { caller }: GraphContext) =>
    app.feed.subscribe(
      eventFilterFor(caller, idField, kinds ? { ...filter, kinds } : filter),
      after == null ? undefined : fromEventCursor('after', after),
    ),
  resolve: (event: EventRow) => event,
})

/** Makes the resolvers of a service's `Subscription`, its event type and that type's detail: `paymentEvents`, `PaymentEvent`, … */
export const eventResolvers = (app: App, kind: TransactionKind) => {
  const noun = fieldNameOf(kind)
  const columnsOf = entityColumns(kind)
  return {
    Subscription: { [`${noun}Events`]: eventSubscription(app, kind.idField, [kind.name]) },
    [`${kind.typename}Event`]: {
      ...eventFields,
      eventDetail: (event: EventRow) => event,
      [noun]: (
        { transactionId }: EventRow,
        _: unknown,
        { loaders }: GraphContext,
        info: GraphQLResolveInfo,
      ) => loaders.transaction.load({ id: transactionId, columns: columnsOf(info) }),
    },
    [`${kind.typename}EventDetail`]: { [kind.idField]: ({ transactionId }: EventRow) => transactionId },
  }
}
