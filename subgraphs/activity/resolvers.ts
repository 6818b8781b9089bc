/** The graph: each field of `schema/activity.graphql` as a call of the service. */
import type { GraphQLResolveInfo } from 'graphql'
import type { App } from '#core/context/app.ts'
import type { EventRow } from '#core/events/event.ts'
import { selectedColumns, selectedFields, selectsTotal } from '#core/graph/connections.ts'
import {
  type CustomerEntity,
  customerOf,
  type LineArgs,
  lineOnPage,
  msisdnOf,
  type SubscriberEntity,
  subscriberOf,
} from '#core/graph/directory-fields.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { resolversOf } from '#core/graph/row-resolvers.ts'
import { eventFields, eventSubscription } from '#core/graph/transaction-fields.ts'
import type { Resolvers } from './graph.generated.ts'
import { type Owner, referTo } from './kinds.ts'
import type { ActivityService } from './service.ts'
import { MEASURES } from './summary/query.ts'
import { DESCRIBED, describeEntry, ENTRY_KEYS, ENTRY_SETS, type TimelineRow } from './timeline/entry.ts'

/** Makes a resolver of an entry's field, by the columns that it reads. */
const reading = resolversOf<TimelineRow>()

const columnsOf = selectedColumns(ENTRY_SETS, ENTRY_KEYS, {
  typename: 'TimelineEntry',
  paths: [['nodes'], ['edges', 'node']],
})

const selected = (info: GraphQLResolveInfo) => ({ columns: columnsOf(info), total: selectsTotal(info) })

const summaryFields = selectedFields({ typename: 'ActivitySummary', paths: [[]] })

/** Measures that are selected of a summary's rows. */
const measuresOf = (info: GraphQLResolveInfo) => {
  const names = summaryFields(info)
  return MEASURES.filter(measure => names.has(measure))
}

const ofLine = async (parent: SubscriberEntity, args: LineArgs, context: GraphContext): Promise<Owner> => {
  const line = await lineOnPage(parent, args, context)
  return line === undefined ? { by: 'number', owner: msisdnOf(parent) } : { by: 'line', owner: line }
}

const ofAccount = ({ customerAccountNumber }: CustomerEntity): Owner => ({
  by: 'account',
  owner: customerAccountNumber,
})

/** A transaction of whichever kind; null where the caller can see none. */
const transactionOf = async (service: ActivityService, context: GraphContext, id: string) => {
  const kind = await service.kindOf(context, id)
  return kind ? referTo(kind, id.toLowerCase()) : null
}

const partnerOf = ({ clientId }: { readonly clientId: string | null }, { loaders }: GraphContext) =>
  clientId === null ? null : loaders.partner.load(clientId)

/** Rows of the request log and their sums. */
const requests = (service: ActivityService): Pick<Resolvers, 'ClientRequest' | 'RequestSum'> => ({
  ClientRequest: {
    client: (parent, _args, context) => partnerOf(parent, context),
    transaction: ({ transactionId }, _args, context) =>
      transactionId === null ? null : transactionOf(service, context, transactionId),
  },
  RequestSum: { client: (parent, _args, context) => partnerOf(parent, context) },
})

/** Limits of clients, and endpoints in trouble. */
const terms = (service: ActivityService): Pick<Resolvers, 'ClientLimits' | 'WebhookEndpoint'> => ({
  ClientLimits: {
    client: (parent, _args, { loaders }) => loaders.partner.load(parent.clientId),
    currencies: ({ limits }) => [...limits.currencies],
    maxAmount: ({ limits }) => limits.maxAmount ?? null,
    monthlyAmount: ({ limits }) => limits.monthlyAmount ?? null,
    maxPoints: ({ limits }) => limits.maxPoints ?? null,
    monthlyPoints: ({ limits }) => limits.monthlyPoints ?? null,
    quotas: parent => service.quotas(parent),
    monthlyUse: (parent, { customerAccountNumber, mobileNumber }, { caller }) =>
      service.monthlyUse(caller, parent, {
        accountNumber: customerAccountNumber ?? undefined,
        mobileNumber: mobileNumber == null ? undefined : msisdnOf({ mobileNumber }),
      }),
  },
  WebhookEndpoint: { client: (parent, _args, { loaders }) => loaders.partner.load(parent.clientId) },
})

const queries = (service: ActivityService): Resolvers['Query'] => ({
  me: (_parent, _args, { caller: { principal } }) => ({
    id: principal.clientId,
    role: principal.role,
    name: principal.name,
  }),
  transaction: (_parent, { id }, context) => transactionOf(service, context, id),
  webhookDeliveries: (_parent, args, { caller }) => service.webhooks.list(caller, args),
  timeline: (_parent, args, context, info) => service.timeline(context, undefined, args, selected(info)),
  summary: (_parent, args, context, info) => service.summary(context, undefined, args, measuresOf(info)),
  events: (_parent, args, { caller }) => service.events(caller, args),
  journey: async (_parent, args, { caller }) => (await service.journey(caller, args)) ?? null,
  partners: (_parent, args, { caller }) => service.partners(caller, args),
  requests: (_parent, args, { caller }) => service.requests(caller, args),
  requestSummary: (_parent, args, { caller }) => service.requestSums(caller, args),
  clientLimits: (_parent, { clients }, { caller }) => service.limits(caller, clients),
  webhookEndpoints: (_parent, { client }, { caller }) => service.webhooks.endpoints(caller, client),
  auditLog: (_parent, args, { caller }) => service.auditLog(caller, args),
  accessRecords: (_parent, args, { caller }) => service.accessRecords(caller, args),
})

const mutations = ({ webhooks, intervene }: ActivityService): Resolvers['Mutation'] => ({
  cancelTransaction: (_parent, args, { caller }) => intervene(caller, 'CANCEL', args),
  reverseTransaction: (_parent, args, { caller }) => intervene(caller, 'REVERSE', args),
  redeliverWebhook: (_parent, { deliveryId }, { caller }) => webhooks.redeliver(caller, deliveryId),
  redeliverWebhooks: (_parent, { filter }, { caller }) => webhooks.redeliverMany(caller, filter ?? {}),
  sendTestEvent: (_parent, args, { caller }) => webhooks.sendTest(caller, args),
  rotateWebhookSecret: (_parent, args, { caller }) => webhooks.rotateSecret(caller, args),
})

/** Fields that this service adds to the directory's entities. */
const owners = (service: ActivityService): Pick<Resolvers, 'Subscriber' | 'Customer'> => ({
  Subscriber: {
    __resolveReference: (reference, context) => subscriberOf(msisdnOf(reference), context),
    timeline: async (parent, args, context, info) =>
      service.timeline(context, await ofLine(parent, args, context), args, selected(info)),
    summary: async (parent, args, context, info) =>
      service.summary(context, await ofLine(parent, args, context), args, measuresOf(info)),
  },
  Customer: {
    __resolveReference: (reference, context) => customerOf(reference.customerAccountNumber, context),
    timeline: (parent, args, context, info) =>
      service.timeline(context, ofAccount(parent), args, selected(info)),
    summary: (parent, args, context, info) =>
      service.summary(context, ofAccount(parent), args, measuresOf(info)),
  },
})

const results = (
  service: ActivityService,
): Pick<Resolvers, 'TimelineEntry' | 'ActivitySummary' | 'Journey' | 'AccessRecord'> => ({
  AccessRecord: {
    client: ({ clientId }, _args, { loaders }) => loaders.partner.load(clientId),
  },
  Journey: {
    transaction: ({ transactions: [newest] }) =>
      newest ? referTo(service.kindNamed(newest.kind), newest.id) : null,
    transactions: ({ transactions }) =>
      transactions.map(({ kind, id }) => referTo(service.kindNamed(kind), id)),
  },
  TimelineEntry: {
    kind: reading(['kind'], ({ kind }) => kind),
    amount: reading(
      ['amount', 'currency'],
      ({ amount, currency }) => amount && { value: amount, currency: currency! },
    ),
    points: reading(['points'], ({ points }) => points),
    description: reading(DESCRIBED, entry => describeEntry(service.kindNamed(entry.kind), entry)),
    transaction: reading(['kind', 'id'], ({ kind, id }) => referTo(service.kindNamed(kind), id)),
  },
  ActivitySummary: {
    kind: ({ kind }) => kind,
    partner: (parent, _args, context) => partnerOf(parent, context),
    customer: ({ customerAccountNumber }, _args, context) =>
      customerAccountNumber === null ? null : customerOf(customerAccountNumber, context),
    failureRate: ({ failed, count }) => failed / count,
    amount: ({ amounts }) => (amounts.length === 1 ? amounts[0]! : null),
  },
})

export const resolvers = (app: App, service: ActivityService): Resolvers => ({
  Query: queries(service),
  Mutation: mutations(service),
  ...owners(service),
  ...results(service),
  ...requests(service),
  ...terms(service),
  Subscription: { transactionEvents: eventSubscription(app, 'id') },
  TransactionEvent: {
    ...eventFields,
    transaction: ({ kind, transactionId }: EventRow) => referTo(service.kindNamed(kind), transactionId),
  },
})
