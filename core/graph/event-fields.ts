/** The fields of events and the subscriptions that bring them, resolved alike for every kind. */
import type { GraphQLResolveInfo } from 'graphql'
import type { App } from '../context/app.ts'
import { fromEventCursor, toEventCursor } from '../events/cursor.ts'
import type { EventRow } from '../events/event.ts'
import { type EventFilterInput, eventFilterFor } from '../events/filter.ts'
import { readBounds } from '../events/read.ts'
import { fieldNameOf, type TransactionKind } from '../transactions/kind.ts'
import type { GraphContext } from './loaders.ts'
import { entityColumns } from './transaction-columns.ts'

interface EventArgs {
  readonly filter?: EventFilterInput | null
  readonly after?: string | null
}

/** What is in an event of any kind. */
export const eventFields = { cursor: ({ position }: EventRow) => toEventCursor(position) }

/** The root fields about events that every subgraph has. */
export const eventQueries = ({ reader }: App) => ({
  latestEventCursor: async () => toEventCursor((await readBounds(reader)).head),
})

/** A subscription to events: the stream is the feed's, and each of its events is resolved like any object. */
export const eventSubscription = (app: App, idField: string, kinds?: readonly string[]) => ({
  subscribe: (_: unknown, { filter, after }: EventArgs, { caller }: GraphContext) =>
    app.feed.subscribe(
      eventFilterFor(caller, idField, kinds ? { ...filter, kinds } : filter),
      after == null ? undefined : fromEventCursor('after', after),
    ),
  resolve: (event: EventRow) => event,
})

/** A service's `Subscription`, its event type and that type's detail: `paymentEvents`, `PaymentEvent`, … */
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
