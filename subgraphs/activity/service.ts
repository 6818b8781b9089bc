/** What spans the services: a transaction found by its id alone, the event log, webhooks, timelines, summaries. */

import { type Caller, visibleClient, visibleNumber } from '../shared/access/caller.ts'
import { listPartners, type PartnerArgs, type PartnerPage } from '../shared/access/partners.ts'
import { READERS } from '../shared/access/principal.ts'
import { requireRole } from '../shared/access/roles.ts'
import { visibleRows } from '../shared/access/visibility.ts'
import type { App } from '../shared/context/app.ts'
import { type EventArgs, type EventConnection, readEventConnection } from '../shared/events/connection.ts'
import { eventFilterFor } from '../shared/events/filter.ts'
import type { GraphContext } from '../shared/graph/loaders.ts'
import { type PageArgs, parsePageArgs } from '../shared/paging/keyset.ts'
import type { TransactionKind } from '../shared/transactions/kind.ts'
import { isId } from '../shared/values/id.ts'
import { type Moment, type WithMoments, withInstants } from '../shared/values/moment.ts'
import { checkReference } from '../shared/values/text.ts'
import { kindOf } from './kind-of.ts'
import { checkKinds, type Kinds, kindNamed, pointsKinds } from './kinds.ts'
import { createLoadersOf } from './loaders.ts'
import type { OwnerColumn } from './owners.ts'
import { readSummary, type SummaryQuery } from './summary/read.ts'
import type { SummaryGroup, SummaryRow } from './summary/rows.ts'
import { spanOf } from './summary/span.ts'
import { checkFilter, type TimelineFilter } from './timeline/filter.ts'
import { readTimeline, type TimelinePage, type TimelineQuery, timelineCursors } from './timeline/read.ts'
import { createWebhookService, type WebhookService } from './webhooks.ts'

/** One account or number; absent for all that the caller may see. */
export interface Owner {
  readonly column: OwnerColumn
  readonly owner: string
}

export interface TimelineArgs extends PageArgs {
  readonly filter?: WithMoments<TimelineFilter> | null
}

export interface SummaryArgs {
  readonly from?: Moment | null
  readonly to?: Moment | null
  readonly by: SummaryQuery['by']
  readonly groupBy?: readonly SummaryGroup[] | null
  readonly postedBy?: string | null
}

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<TransactionKind | undefined>
  /** The kind with this name in the graph. */
  kindNamed(name: string): TransactionKind
  /** A page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
  readonly webhooks: WebhookService
  /** A page of the partners; portals and analysts alone may ask. */
  partners(caller: Caller, args: PartnerArgs): Promise<PartnerPage>
  timeline(context: GraphContext, holder: Owner | undefined, args: TimelineArgs): Promise<TimelinePage>
  summary(context: GraphContext, holder: Owner | undefined, args: SummaryArgs): Promise<SummaryRow[]>
}

/**
 * A token that is bound to a number, and names none, speaks of that one. A portal or analyst so bound sees of its
 * account too what concerns the number alone.
 */
const ownerInContext = (caller: Caller, named: Owner | undefined): Owner | undefined => {
  const number = visibleNumber(caller) ?? (named ? undefined : caller.principal.phoneNumber)
  return number === undefined ? named : { column: 'mobile_number', owner: number }
}

const timelineQuery = ({ caller }: GraphContext, { filter, ...keyset }: TimelineArgs): TimelineQuery => ({
  clientId: visibleClient(caller),
  filter: checkFilter(withInstants(filter ?? {})),
  keyset: parsePageArgs(keyset, timelineCursors.from),
})

const summaryQuery = (
  { config: { timezone } }: App,
  kinds: Kinds,
  { caller }: GraphContext,
  args: SummaryArgs,
): SummaryQuery => {
  const { from, to, by, groupBy, postedBy } = withInstants(args)
  if (postedBy != null) checkReference('postedBy', postedBy)
  return {
    clientId: visibleClient(caller),
    postedBy: postedBy ?? undefined,
    span: spanOf(from, to, timezone),
    by,
    groupBy: [...new Set(groupBy ?? [])],
    timezone,
    pointsKinds: pointsKinds(kinds),
  }
}

/** @throws Error for kinds that the timeline cannot show. */
export const createActivityService = (app: App, kinds: Kinds): ActivityService => {
  checkKinds(kinds)
  const loadersOf = createLoadersOf(app)
  return {
    async kindOf(caller, id) {
      const name = isId(id) ? await kindOf(app.db, kinds, id, visibleRows(caller.principal)) : undefined
      return name === undefined ? undefined : kindNamed(kinds, name)
    },
    kindNamed: name => kindNamed(kinds, name),
    events: (caller, args) => readEventConnection(app.db, eventFilterFor(caller, 'id', args.filter), args),
    webhooks: createWebhookService(app, kinds),
    async partners({ principal }, args) {
      requireRole(principal, READERS, 'partners')
      return listPartners(app.db, args)
    },
    async timeline(context, named, args) {
      const query = timelineQuery(context, args)
      const holder = ownerInContext(context.caller, named)
      const loaders = loadersOf(context)
      if (!holder) return readTimeline(app.db, query)
      const queries = { ...holder, query }
      return { ...(await loaders.timeline.load(queries)), totalCount: () => loaders.count.load(queries) }
    },
    async summary(context, named, args) {
      const query = summaryQuery(app, kinds, context, args)
      const holder = ownerInContext(context.caller, named)
      return holder ? loadersOf(context).summary.load({ ...holder, query }) : readSummary(app.db, query)
    },
  }
}
