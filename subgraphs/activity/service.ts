/** Functions that span the services: a transaction found by its id alone, the event log, webhooks, timelines, summaries. */

import DataLoader from 'dataloader'
import { listPartners, type PartnerArgs, type PartnerPage } from '#core/access/partners.ts'
import { type Caller, READERS, requireRole, requireUnbound } from '#core/access/principal.ts'
import {
  recordReach,
  recordShown,
  visibleClient,
  visibleNumber,
  visibleRows,
} from '#core/access/visibility.ts'
import { FairSlots } from '#core/async/fair-slots.ts'
import { type AccessArgs, type AccessPage, listAccess } from '#core/audit/access-records.ts'
import { type ActArgs, type ActPage, listActs } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { eventFilterFor } from '#core/events/event.ts'
import { type EventArgs, type EventConnection, readEventConnection } from '#core/events/read.ts'
import { withTotal } from '#core/graph/connections.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import type { Format } from '#core/http/row-files.ts'
import type { Connection } from '#core/paging/keyset.ts'
import { listRequests, type RequestArgs, type RequestPage } from '#core/requests/read.ts'
import { type RequestSumArgs, type RequestSumRow, sumRequests } from '#core/requests/sums.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { isId } from '#core/values/id.ts'
import type { Query } from '#core/values/text.ts'
import { exportTimeline } from './export/export.ts'
import { createReadParameters, createReadSummaryParameters } from './export/parameters.ts'
import { exportSummary } from './export/summary.ts'
import { createIntervene, type Intervene } from './interventions.ts'
import { type JourneyArgs, type JourneyView, journeyStart, readerOf, readJourney } from './journey/journey.ts'
import { byOwner, checkKinds, type Kinds, kindNamed, kindsOf, type Owner } from './kinds.ts'
import {
  type ClientTerms,
  type Counted,
  type MonthlyUseRow,
  quotasLeft,
  readLimits,
  readMonthlyUse,
} from './limits.ts'
import { createPartnerService, type PartnerService } from './partner/service.ts'
import { type Measure, type SummaryArgs, type SummaryQuery, summaryQuery } from './summary/query.ts'
import { readSummaries, readSummary } from './summary/read.ts'
import type { SummaryRow } from './summary/row.ts'
import { everyoneScope } from './summary/rows.ts'
import { countTimelines } from './timeline/count.ts'
import type { EntryColumns, SelectedEntry } from './timeline/entry.ts'
import { type TimelineArgs, type TimelineQuery, timelineQuery } from './timeline/filter.ts'
import { readTimeline, readTimelines, type TimelinePage } from './timeline/read.ts'
import { createWebhookService, type WebhookService } from './webhooks.ts'

const createLoaders = ({ db }: App, kinds: Kinds, { principal }: Caller) => ({
  /** Names of kinds by the ids of transactions. */
  kind: new DataLoader<string, string | undefined>(async ids => {
    const found = await kindsOf(db, kinds, ids, visibleRows(principal))
    return ids.map(id => found.get(id))
  }),
  timeline: byOwner<TimelineQuery<SelectedEntry>, Connection<SelectedEntry>>((query, by, owners) =>
    readTimelines(db, query, by, owners),
  ),
  count: byOwner<TimelineQuery<SelectedEntry>, number>((query, by, owners) =>
    countTimelines(db, query, by, owners),
  ),
  summary: byOwner<SummaryQuery, SummaryRow[]>((query, by, owners) => readSummaries(db, query, by, owners)),
})

type ActivityLoaders = ReturnType<typeof createLoaders>

/** Makes the function that gives each request loaders of its own. */
const createLoadersOf = (app: App, kinds: Kinds): ((context: GraphContext) => ActivityLoaders) => {
  const known = new WeakMap<GraphContext, ActivityLoaders>()
  return context => {
    const loaders = known.get(context) ?? createLoaders(app, kinds, context.caller)
    known.set(context, loaders)
    return loaders
  }
}

/** Most pages of exports that are read at once; a client has half of them. */
const EXPORT_PAGES = 2

/** Most summaries that go through entries at once; the others wait, and their clients take turns. */
const LONG_SUMMARIES = 2

/** Selection of a page of the timeline. */
interface SelectedEntries {
  readonly columns: EntryColumns
  readonly total: boolean
}

export interface ActivityService {
  /** Finds the kind of a transaction; undefined where the caller can see no such transaction. */
  kindOf(context: GraphContext, id: string): Promise<TransactionKind | undefined>
  /** Finds a kind by its name in the graph. */
  kindNamed(name: string): TransactionKind
  /** Reads a page of the events that the caller may see. */
  events(caller: Caller, args: EventArgs): Promise<EventConnection>
  /**
   * Reads what became of a request or a transaction; undefined where the caller can see nothing of it.
   * @throws ServiceError INVALID_ARGUMENT naming the argument that is wrong.
   */
  journey(caller: Caller, args: JourneyArgs): Promise<JourneyView | undefined>
  readonly webhooks: WebhookService
  /** The tools of partners over REST. */
  readonly partner: PartnerService
  readonly intervene: Intervene
  /** Reads the limits of clients, by their ids or of the caller. */
  limits(caller: Caller, clients: readonly string[] | null | undefined): Promise<ClientTerms[]>
  /** The quotas of a client with what is left of them in this process. */
  quotas(terms: ClientTerms): ReturnType<typeof quotasLeft>
  /** Reads what a client has posted this month for one customer. */
  monthlyUse(caller: Caller, terms: ClientTerms, counted: Counted): Promise<MonthlyUseRow[]>
  /** Reads a page of who looked at whom, for auditors. */
  accessRecords(caller: Caller, args: AccessArgs): Promise<AccessPage>
  /** Reads a page of the log of acts, for portals and auditors. */
  auditLog(caller: Caller, args: ActArgs): Promise<ActPage>
  /** Reads a page of the requests that the caller may see. */
  requests(caller: Caller, args: RequestArgs): Promise<RequestPage>
  /** Adds up the refused requests that the caller may see. */
  requestSums(caller: Caller, args: RequestSumArgs): Promise<RequestSumRow[]>
  /** Reads a page of the partners, for portals and analysts. */
  partners(caller: Caller, args: PartnerArgs): Promise<PartnerPage>
  timeline(
    context: GraphContext,
    owner: Owner | undefined,
    args: TimelineArgs,
    selected: SelectedEntries,
  ): Promise<TimelinePage>
  summary(
    context: GraphContext,
    owner: Owner | undefined,
    args: SummaryArgs,
    measures: readonly Measure[],
  ): Promise<SummaryRow[]>
  /**
   * Writes a summary, of what the caller may see, as the texts of a file.
   * @throws ServiceError INVALID_ARGUMENT naming the parameter that is wrong.
   */
  exportSummary(caller: Caller, format: Format, parameters: Query): AsyncGenerator<string>
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
  const loadersOf = createLoadersOf(app, kinds)
  const readParameters = createReadParameters(kinds, app.config)
  const readSummaryParameters = createReadSummaryParameters(kinds, app.config)
  const turns = new FairSlots(EXPORT_PAGES)
  const summaryTurns = new FairSlots(LONG_SUMMARIES)
  /** Reads a summary of everything; one that goes through entries waits for its client's turn. */
  const summaryOfAll = async ({ principal, signal }: Caller, query: SummaryQuery) => {
    if (everyoneScope(query).detail !== 'entry') return readSummary(app.db, query)
    const free = await summaryTurns.wait(principal.clientId, signal)
    return readSummary(app.db, query).finally(free)
  }
  return {
    async kindOf(context, id) {
      const name = isId(id) ? await loadersOf(context).kind.load(id.toLowerCase()) : undefined
      return name === undefined ? undefined : kindNamed(kinds, name)
    },
    kindNamed: name => kindNamed(kinds, name),
    async events(caller, args) {
      const filter = eventFilterFor(caller, 'id', args.filter)
      recordReach(caller, filter)
      return readEventConnection(app.db, filter, args)
    },
    async journey(caller, args) {
      const journey = await readJourney(app.db, kinds, journeyStart(args), readerOf(caller))
      recordShown(caller, journey?.transactions ?? [])
      return journey
    },
    webhooks: createWebhookService(app, kinds),
    partner: createPartnerService(app, kinds),
    intervene: createIntervene(app, kinds),
    limits: (caller, clients) => readLimits(app, caller, clients),
    quotas: terms => quotasLeft(app, terms),
    monthlyUse: (caller, terms, counted) => readMonthlyUse(app, kinds, caller, terms, counted),
    async accessRecords({ principal }, args) {
      requireRole(principal, ['auditor'], 'accessRecords')
      requireUnbound(principal, 'accessRecords')
      return listAccess(app.db, args)
    },
    async auditLog({ principal }, args) {
      requireRole(principal, ['portal', 'auditor'], 'auditLog')
      requireUnbound(principal, 'auditLog')
      return listActs(app.db, args)
    },
    requests: (caller, args) => listRequests(app.db, caller, args),
    requestSums: (caller, args) => sumRequests(app.db, app.config, caller, args),
    async partners({ principal }, args) {
      requireRole(principal, READERS, 'partners')
      requireUnbound(principal, 'partners')
      return listPartners(app.db, args)
    },
    async timeline(context, named, args, { columns, total }) {
      const query = { ...timelineQuery(visibleClient(context.caller), args), columns }
      const owner = ownerInContext(context.caller, named)
      const loaders = loadersOf(context)
      if (!named) recordReach(context.caller)
      if (!owner) return readTimeline<SelectedEntry>(app.db, query)
      const queries = { ...owner, query }
      return withTotal(loaders.timeline.load(queries), () => loaders.count.load(queries), total)
    },
    exportTimeline(caller, format, parameters) {
      const query = timelineQuery(visibleClient(caller), readParameters(parameters), '')
      recordReach(caller)
      return exportTimeline(app, kinds, format, {
        query,
        owner: ownerInContext(caller, undefined),
        turn: signal => turns.wait(caller.principal.clientId, signal),
        showsClient: caller.principal.role !== 'partner',
      })
    },
    exportSummary(caller, format, parameters) {
      const { args, measures } = readSummaryParameters(parameters)
      const query = summaryQuery(app.config, kinds, { caller }, args, measures)
      const owner = ownerInContext(caller, undefined)
      if (query.groupBy.includes('CUSTOMER')) recordReach(caller)
      return exportSummary(format, query, async () =>
        owner
          ? (await readSummaries(app.db, query, owner.by, [owner.owner]))[0]!
          : summaryOfAll(caller, query),
      )
    },
    async summary(context, named, args, measures) {
      const query = summaryQuery(app.config, kinds, context, args, measures)
      const owner = ownerInContext(context.caller, named)
      if (!named && query.groupBy.includes('CUSTOMER')) recordReach(context.caller)
      return owner
        ? loadersOf(context).summary.load({ ...owner, query })
        : summaryOfAll(context.caller, query)
    },
  }
}
