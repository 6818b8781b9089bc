/** Batches in the graph: one by its id, and its progress as it goes on. */
import type { App } from '#core/context/app.ts'
import { ConflatedEvents } from '#core/events/conflated.ts'
import type { EventRow } from '#core/events/event.ts'
import { fromEventCursor } from '#core/events/read.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { eventFields } from '#core/graph/transaction-fields.ts'
import { nullIfNotFound } from '#core/graph/transaction-resolvers.ts'
import { MESSAGE } from '../kind.ts'
import type { Batches, BatchProgress, BatchRow } from './store.ts'

/** Pause between two reports on a batch, however many of its messages end meanwhile. */
const PROGRESS_REST_MS = 250

interface ProgressArgs {
  readonly batchId: string
  readonly after?: string | null
}

/**
 * Makes the subscription to the progress of a batch: each event of one of its messages says that it has changed, and
 * the progress is read then.
 */
export const batchProgress = (app: App, batches: Batches) => ({
  subscribe: async (_: unknown, { batchId, after }: ProgressArgs, { caller }: GraphContext) => {
    const { clientId, clientCorrelatorId } = await batches.get(caller, batchId)
    const filter = { clientId, kinds: [MESSAGE.name], numberedAfter: `${clientCorrelatorId}-` }
    const events = await app.feed.subscribe(
      filter,
      after == null ? undefined : fromEventCursor('after', after),
    )
    return new ConflatedEvents(events, PROGRESS_REST_MS)
  },
  resolve: (event: EventRow, { batchId }: ProgressArgs): BatchProgress => ({ ...event, batchId }),
})

export const batchFields = {
  pending: ({ accepted, sent, failed }: BatchRow) => accepted - sent - failed,
  complete: ({ refused, accepted, sent, failed }: BatchRow) => refused !== null && accepted === sent + failed,
}

/** `Query.smsBatch`. */
export const batchQuery =
  (batches: Batches) =>
  (_: unknown, { batchId }: ProgressArgs, { caller }: GraphContext) =>
    nullIfNotFound(batches.get(caller, batchId))

/** The fields of `SmsBatchProgress`. */
export const batchProgressFields = (batches: Batches) => ({
  ...eventFields,
  batch: ({ batchId }: BatchProgress, _: unknown, { caller }: GraphContext) => batches.get(caller, batchId),
})
