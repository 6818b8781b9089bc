/** What spans the services: a transaction found by its id alone, the event log, webhooks, timelines, summaries. */
import type { App } from '../shared/app.ts'
import { type Caller, visibleClient, visibleNumber } from '../shared/caller.ts'
import { Prisma } from '../shared/data/db.ts'
import {
  type DeliveryRow,
  redeliver,
  requirePortal,
  visibleDeliveries,
} from '../shared/delivery/deliveries.ts'
import {
  type EventArgs,
  type EventConnection,
  readEventConnection,
} from '../shared/delivery/event-connection.ts'
import { eventFilterFor } from '../shared/delivery/event-query.ts'
import { type DeliveryArgs, type DeliveryConnection, listDeliveries } from '../shared/delivery/list.ts'
import type { GraphContext } from '../shared/graph/loaders.ts'
import { type SliceArgs, sliceOf } from '../shared/transactions/slice.ts'
import { isId } from '../shared/values/id.ts'
import { checkReference } from '../shared/values/text.ts'
import type { HolderColumn } from './holders.ts'
import { kindOfNumber } from './kind-of-number.ts'
import { createLoadersOf } from './loaders.ts'
import { readSummary, type SummaryQuery } from './summary/read.ts'
import type { SummaryGroup, SummaryRow } from './summary/rows.ts'
import { spanOf } from './summary/span.ts'
import { checkFilter, type TimelineFilter } from './timeline/filter.ts'
import {
  countTimeline,
  readTimeline,
  type TimelinePage,
  type TimelineQuery,
  timelineCursors,
} from './timeline/read.ts'

/** One account or number; absent for all that the caller may see. */
export interface Holder {
  readonly column: HolderColumn
  readonly holder: string
}

export interface TimelineArgs extends SliceArgs {
  readonly filter?: TimelineFilter | null
}

export interface SummaryArgs {
  readonly from?: Date | null
  readonly to?: Date | null
  readonly by: SummaryQuery['by']
  readonly groupBy?: readonly SummaryGroup[] | null
  readonly postedBy?: string | null
}

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<string | undefined>
  /** A page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
  /** The deliveries that the caller may see. */
  webhookDeliveries(caller: Caller, args: DeliveryArgs): Promise<DeliveryConnection>
  /** Sends a webhook again; only a portal may. */
  redeliverWebhook(caller: Caller, deliveryId: string): Promise<DeliveryRow>
  timeline(context: GraphContext, holder: Holder | undefined, args: TimelineArgs): Promise<TimelinePage>
  summary(context: GraphContext, holder: Holder | undefined, args: SummaryArgs): Promise<SummaryRow[]>
}

/**
 * A token that is bound to a number, and names none, speaks of that one. A portal or analyst so bound sees of its
 * account too what concerns the number alone.
 */
const holderInContext = (caller: Caller, named: Holder | undefined): Holder | undefined => {
  const number = visibleNumber(caller) ?? (named ? undefined : caller.principal.phoneNumber)
  return number === undefined ? named : { column: 'mobile_number', holder: number }
}

const timelineQuery = ({ caller }: GraphContext, { filter, ...slice }: TimelineArgs): TimelineQuery => ({
  clientId: visibleClient(caller),
  filter: checkFilter(filter ?? {}),
  slice: sliceOf(slice, timelineCursors.from),
})

const summaryQuery = (
  { config: { timezone } }: App,
  { caller }: GraphContext,
  { from, to, by, groupBy, postedBy }: SummaryArgs,
): SummaryQuery => {
  if (postedBy != null) checkReference('postedBy', postedBy)
  return {
    clientId: visibleClient(caller),
    postedBy: postedBy ?? undefined,
    span: spanOf(from, to, timezone),
    by,
    groupBy: [...new Set(groupBy ?? [])],
    timezone,
  }
}

export const createActivityService = (app: App): ActivityService => {
  const loadersOf = createLoadersOf(app)
  return {
    async kindOf(caller, id) {
      if (!isId(id)) return undefined
      const number = visibleNumber(caller)
      if (number !== undefined) return kindOfNumber(app.db, id, number)
      const clientId = visibleClient(caller)
      const mine = clientId === undefined ? Prisma.sql`TRUE` : Prisma.sql`client_id = ${clientId}`
      const [row] = await app.db.$queryRaw<{ kind: string }[]>`
        SELECT kind FROM events.transaction WHERE id = ${id}::uuid AND ${mine}`
      return row?.kind
    },
    events: (caller, args) => readEventConnection(app.db, eventFilterFor(caller, 'id', args.filter), args),
    webhookDeliveries: (caller, args) => listDeliveries(app.db, args, visibleDeliveries(caller)),
    async redeliverWebhook(caller, deliveryId) {
      requirePortal(caller)
      const delivery = await redeliver(app.db, deliveryId, visibleDeliveries(caller))
      app.eventsWritten.emit()
      return delivery
    },
    async timeline(context, named, args) {
      const question = timelineQuery(context, args)
      const holder = holderInContext(context.caller, named)
      const loaders = loadersOf(context)
      if (!holder)
        return {
          ...(await readTimeline(app.db, question)),
          totalCount: () => countTimeline(app.db, question),
        }
      const asked = { ...holder, question }
      return { ...(await loaders.timeline.load(asked)), totalCount: () => loaders.count.load(asked) }
    },
    async summary(context, named, args) {
      const question = summaryQuery(app, context, args)
      const holder = holderInContext(context.caller, named)
      return holder ? loadersOf(context).summary.load({ ...holder, question }) : readSummary(app.db, question)
    },
  }
}
