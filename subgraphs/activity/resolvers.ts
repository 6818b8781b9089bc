/** The graph: each field of `schema/activity.graphql` as a call of the service. */
import type { App } from '../shared/app.ts'
import type { EventRow } from '../shared/delivery/event.ts'
import { eventFields, eventSubscription } from '../shared/graph/event-fields.ts'
import type { Resolvers } from './graph.generated.ts'
import type { ActivityService } from './service.ts'

/** The entity that owns each kind, with its key. */
const ENTITIES: Record<string, { type: string; key: string }> = {
  PAYMENT: { type: 'Payment', key: 'paymentId' },
  RECHARGE: { type: 'Recharge', key: 'rechargeId' },
  MESSAGE: { type: 'Message', key: 'otlTransactionId' },
  REWARD: { type: 'Reward', key: 'rewardId' },
  REDEMPTION: { type: 'Redemption', key: 'redemptionId' },
}

/** A reference that the gateway resolves in the owning subgraph. */
const referTo = (kind: string, id: string) => {
  const { type, key } = ENTITIES[kind]!
  return { __typename: type, [key]: id } as never
}

export const resolvers = (app: App, service: ActivityService): Resolvers => ({
  Query: {
    me: (_parent, _args, { caller: { principal } }) => ({
      id: principal.clientId,
      role: principal.role,
      name: principal.name,
    }),
    transaction: async (_parent, { id }, { caller }) => {
      const kind = await service.kindOf(caller, id)
      return kind ? referTo(kind, id) : null
    },
    events: (_parent, args, { caller }) => service.events(caller, args),
  },
  Subscription: { transactionEvents: eventSubscription(app, 'id') },
  TransactionEvent: {
    ...eventFields,
    transaction: ({ kind, transactionId }: EventRow) => referTo(kind, transactionId),
  },
  Transaction: { __resolveType: reference => reference.__typename! },
})
