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
import type { Query } from '#core/values/text.ts'
import { exportTimeline } from './export/export.ts'
import type { Format } from './export/formats.ts'
import { createReadParameters } from './export/parameters.ts'
import { createIntervene, type Intervene } from './interventions.ts'
import { byOwner, checkKinds, type Kinds, kindNamed, kindOf, type Owner } from './kinds.ts'
import { type SummaryArgs, type SummaryQuery, summaryQuery } from './summary/query.ts'
import type { SummaryRow } from './summary/read.ts'
import { readSummaries, readSummary } from './summary/read.ts'
import {
  type EntryColumns,
  type SelectedEntry,
  type TimelineArgs,
  type TimelineQuery,
  timelineQuery,
} from './timeline/entry.ts'
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

/** Makes the function that gives each request loaders of its own. */
const createLoadersOf = (app: App): ((context: GraphContext) => ActivityLoaders) => {
  const known = new WeakMap<GraphContext, ActivityLoaders>()
  return context => {
    const loaders = known.get(context) ?? createLoaders(app)
    known.set(context, loaders)
    return loaders
  }
}

/** Most pages of exports that are read at once; a client has half of them. */
const EXPORT_PAGES = 2

/** Selection of a page of the timeline. */
interface SelectedEntries {
  readonly columns: EntryColumns
  readonly total: boolean
}

export interface ActivityService {
  /** Finds the kind of a transaction; undefined where the caller can see no such transaction. */
  kindOf(caller: Caller, id: string): Promise<TransactionKind | undefined>
  /** Finds a kind by its name in the graph. */
  kindNamed(name: string): TransactionKind
  /** Reads a page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
  readonly webhooks: WebhookService
  readonly intervene: Intervene
  /** Reads a page of the partners, for portals and analysts. */
  partners(caller: Caller, args: PartnerArgs): Promise<PartnerPage>
  timeline(
    context: GraphContext,
    owner: Owner | undefined,
    args: TimelineArgs,
    selected: SelectedEntries,
  ): Promise<TimelinePage>
  summary(context: GraphContext, owner: Owner | undefined, args: SummaryArgs): Promise<SummaryRow[]>
  /**
   * Writes the timeline, as far as the caller may see it, as the texts of a file.
   * @throws ServiceError INVALID_ARGUMENT naming the parameter that is wrong.
   */
  exportTimeline(caller: Caller, format: Format, parameters: Query): AsyncGenerator<string>
}

/**
 * Owner of a request. A token that is bound to a number stands for it where the request names no owner; a portal or
 * analyst with such a token sees only what concerns that number, of its account too.
 */
const ownerInContext = (caller: Caller, named: Owner | undefined): Owner | undefined => {
  const number = visibleNumber(caller) ?? (named ? undefined : caller.principal.phoneNumber)
  return number === undefined ? named : { by: 'number', owner: number }
}

/** Makes the service. @throws Error for kinds that the timeline cannot show. */
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
      const owner = ownerInContext(context.caller, named)
      const loaders = loadersOf(context)
      if (!owner) return readTimeline<SelectedEntry>(app.reader, query)
      const queries = { ...owner, query }
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
      const owner = ownerInContext(context.caller, named)
      return owner ? loadersOf(context).summary.load({ ...owner, query }) : readSummary(app.reader, query)
    },
  }
}
