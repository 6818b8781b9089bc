/** The graph: each field of `schema/activity.graphql` as a call of the service. */
import type { GraphQLResolveInfo } from 'graphql'
import type { App } from '#core/context/app.ts'
import type { EventRow } from '#core/events/event.ts'
import { selectsTotal } from '#core/graph/connections.ts'
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
import { resolversOf, selectedColumns } from '#core/graph/selected-columns.ts'
import { eventFields, eventSubscription } from '#core/graph/transaction-fields.ts'
import type { Resolvers } from './graph.generated.ts'
import { type Owner, referTo } from './kinds.ts'
import type { ActivityService } from './service.ts'
import { DESCRIBED, describeEntry, ENTRY_KEYS, ENTRY_SETS, type TimelineRow } from './timeline/entry.ts'

/** Makes a resolver of an entry's field, by the columns that it reads. */
const reading = resolversOf<TimelineRow>()

const columnsOf = selectedColumns(ENTRY_SETS, ENTRY_KEYS, {
  typename: 'TimelineEntry',
  paths: [['nodes'], ['edges', 'node']],
})

const selected = (info: GraphQLResolveInfo) => ({ columns: columnsOf(info), total: selectsTotal(info) })

const ofLine = async (parent: SubscriberEntity, args: LineArgs, context: GraphContext): Promise<Owner> => {
  const line = await lineOnPage(parent, args, context)
  return line === undefined ? { by: 'number', owner: msisdnOf(parent) } : { by: 'line', owner: line }
}

const ofAccount = ({ customerAccountNumber }: CustomerEntity): Owner => ({
  by: 'account',
  owner: customerAccountNumber,
})

const queries = (service: ActivityService): Resolvers['Query'] => ({
  me: (_parent, _args, { caller: { principal } }) => ({
    id: principal.clientId,
    role: principal.role,
    name: principal.name,
  }),
  transaction: async (_parent, { id }, { caller }) => {
    const kind = await service.kindOf(caller, id)
    return kind ? referTo(kind, id.toLowerCase()) : null
  },
  webhookDeliveries: (_parent, args, { caller }) => service.webhooks.list(caller, args),
  timeline: (_parent, args, context, info) => service.timeline(context, undefined, args, selected(info)),
  summary: (_parent, args, context) => service.summary(context, undefined, args),
  events: (_parent, args, { caller }) => service.events(caller, args),
  partners: (_parent, args, { caller }) => service.partners(caller, args),
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
    summary: async (parent, args, context) =>
      service.summary(context, await ofLine(parent, args, context), args),
  },
  Customer: {
    __resolveReference: (reference, context) => customerOf(reference.customerAccountNumber, context),
    timeline: (parent, args, context, info) =>
      service.timeline(context, ofAccount(parent), args, selected(info)),
    summary: (parent, args, context) => service.summary(context, ofAccount(parent), args),
  },
})

const results = (service: ActivityService): Pick<Resolvers, 'TimelineEntry' | 'ActivitySummary'> => ({
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
    partner: ({ clientId }, _args, { loaders }) =>
      clientId === null ? null : loaders.partner.load(clientId),
    failureRate: ({ failed, count }) => failed / count,
    amount: ({ amounts }) => (amounts.length === 1 ? amounts[0]! : null),
  },
})

export const resolvers = (app: App, service: ActivityService): Resolvers => ({
  Query: queries(service),
  Mutation: mutations(service),
  ...owners(service),
  ...results(service),
  Subscription: { transactionEvents: eventSubscription(app, 'id') },
  TransactionEvent: {
    ...eventFields,
    transaction: ({ kind, transactionId }: EventRow) => referTo(service.kindNamed(kind), transactionId),
  },
})
