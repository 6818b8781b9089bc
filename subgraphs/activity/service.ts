/** Functions that span the services: a transaction found by its id alone, the event log, webhooks, timelines, summaries. */

import { listPartners, type PartnerArgs, type PartnerPage } from '#core/access/partners.ts'
import { type Caller, READERS, requireRole, requireUnbound } from '#core/access/principal.ts'
import { visibleClient, visibleNumber, visibleRows } from '#core/access/visibility.ts'
import { FairSlots } from '#core/async/fair-slots.ts'
import type { App } from '#core/context/app.ts'
import { eventFilterFor } from '#core/events/event.ts'
import { type EventArgs, type EventConnection, readEventConnection } from '#core/events/read.ts'
import { withTotal } from '#core/graph/connections.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import type { Connection } from '#core/paging/keyset.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { isId } from '#core/values/id.ts'
import type { Query } from '#core/values/query.ts'
import { exportTimeline } from './export/export.ts'
import type { Format } from './export/formats.ts'
import { createReadParameters } from './export/parameters.ts'
import { createIntervene, type Intervene } from './interventions.ts'
import { checkKinds, type Kinds, kindNamed, kindOf } from './kinds.ts'
import { byOwner, type Owner } from './owners.ts'
import { type SummaryArgs, type SummaryQuery, summaryQuery } from './summary/query.ts'
import type { SummaryRow } from './summary/read.ts'
import { readSummaries, readSummary } from './summary/read.ts'
import type { EntryColumns, SelectedEntry, TimelineQuery } from './timeline/entry.ts'
import { type TimelineArgs, timelineQuery } from './timeline/entry.ts'
import { countTimelines, readTimeline, readTimelines, type TimelinePage } from './timeline/read.ts'
import { createWebhookService, type WebhookService } from './webhooks.ts'

const createLoaders = ({ reader }: App) => ({
  timeline: byOwner<TimelineQuery<SelectedEntry>, Connection<SelectedEntry>>((query, by, owners) =>
    readTimelines(reader, query, by, owners),
  ),
  count: byOwner<TimelineQuery<SelectedEntry>, number>((query, by, owners) =>
    countTimelines(reader, query, by, owners),
  ),
  summary: byOwner<SummaryQuery, SummaryRow[]>((query, by, owners) =>
    readSummaries(reader, query, by, owners),
  ),
})

type ActivityLoaders = ReturnType<typeof createLoaders>

/** The function that gives each request loaders of its own. */
const createLoadersOf = (app: App): ((context: GraphContext) => ActivityLoaders) => {
  const known = new WeakMap<GraphContext, ActivityLoaders>()
  return context => {
    const loaders = known.get(context) ?? createLoaders(app)
    known.set(context, loaders)
    return loaders
  }
}

/** So many pages of exports are read at once, one of them for a client that is alone. */
const EXPORT_PAGES = 2

/** The columns that are selected of a page of the timeline. */
interface SelectedEntries {
  readonly columns: EntryColumns
  readonly total: boolean
}

export interface ActivityService {
  /** The kind of the transaction with this id; undefined when there is none that the caller may see. */
  kindOf(caller: Caller, id: string): Promise<TransactionKind | undefined>
  /** The kind with this name in the graph. */
  kindNamed(name: string): TransactionKind
  /** A page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
  readonly webhooks: WebhookService
  readonly intervene: Intervene
  /** A page of the partners; portals and analysts alone may ask. */
  partners(caller: Caller, args: PartnerArgs): Promise<PartnerPage>
  timeline(
    context: GraphContext,
    holder: Owner | undefined,
    args: TimelineArgs,
    selected: SelectedEntries,
  ): Promise<TimelinePage>
  summary(context: GraphContext, holder: Owner | undefined, args: SummaryArgs): Promise<SummaryRow[]>
  /**
   * All that the caller may see of the timeline, as the texts of a file.
   * @throws ServiceError INVALID_ARGUMENT naming the parameter that cannot be.
   */
  exportTimeline(caller: Caller, format: Format, parameters: Query): AsyncGenerator<string>
}

/**
 * A token that is bound to a number, and names none, speaks of that one. A portal or analyst so bound sees of its
 * account too what concerns the number alone.
 */
const ownerInContext = (caller: Caller, named: Owner | undefined): Owner | undefined => {
  const number = visibleNumber(caller) ?? (named ? undefined : caller.principal.phoneNumber)
  return number === undefined ? named : { by: 'number', owner: number }
}

/** @throws Error for kinds that the timeline cannot show. */
export const createActivityService = (app: App, kinds: Kinds): ActivityService => {
  checkKinds(kinds)
  const loadersOf = createLoadersOf(app)
  const readParameters = createReadParameters(kinds, app.config)
  const turns = new FairSlots(EXPORT_PAGES)
  return {
    async kindOf(caller, id) {
      const name = isId(id) ? await kindOf(app.reader, kinds, id, visibleRows(caller.principal)) : undefined
      return name === undefined ? undefined : kindNamed(kinds, name)
    },
    kindNamed: name => kindNamed(kinds, name),
    events: (caller, args) =>
      readEventConnection(app.reader, eventFilterFor(caller, 'id', args.filter), args),
    webhooks: createWebhookService(app, kinds),
    intervene: createIntervene(app, kinds),
    async partners({ principal }, args) {
      requireRole(principal, READERS, 'partners')
      requireUnbound(principal, 'partners')
      return listPartners(app.reader, args)
    },
    async timeline(context, named, args, { columns, total }) {
      const query = { ...timelineQuery(visibleClient(context.caller), args), columns }
      const holder = ownerInContext(context.caller, named)
      const loaders = loadersOf(context)
      if (!holder) return readTimeline<SelectedEntry>(app.reader, query)
      const queries = { ...holder, query }
      return withTotal(loaders.timeline.load(queries), () => loaders.count.load(queries), total)
    },
    exportTimeline: (caller, format, parameters) =>
      exportTimeline(app, kinds, format, {
        query: timelineQuery(visibleClient(caller), readParameters(parameters), ''),
        owner: ownerInContext(caller, undefined),
        turn: signal => turns.wait(caller.principal.clientId, signal),
        showsClient: caller.principal.role !== 'partner',
      }),
    async summary(context, named, args) {
      const query = summaryQuery(app.config, kinds, context, args)
      const holder = ownerInContext(context.caller, named)
      return holder ? loadersOf(context).summary.load({ ...holder, query }) : readSummary(app.reader, query)
    },
  }
}
