/** The graph: each field of `schema/redemption.graphql` as a call of the service or a loader. */
import type { App } from '../shared/app.ts'
import { subscriberFields } from '../shared/directory/fields-of-graph.ts'
import { orNull } from '../shared/graph/absent.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { openDoor } from '../shared/graph/door.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { digitsOf } from '../shared/graph/parents.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { readDocument } from '../shared/http/contract.ts'
import { toDecimal } from '../shared/values/decimal.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { REDEMPTION } from './kind.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'
import type { RedemptionService } from './service.ts'

export const resolvers = (app: App, service: RedemptionService): Resolvers => {
  const createRedemption = openDoor<CreateRedemption>(readDocument('redemption'), 'createRedemption')
  return {
    Query: {
      redemption: (_, { redemptionId }, { caller }) => orNull(service.getRedemption(caller, redemptionId)),
      redemptions: (_, args, context) => connectionOfAll(app, REDEMPTION, args, context),
    },
    Mutation: {
      createRedemption: (_, { input }, { caller }) =>
        service.createRedemption(caller, createRedemption(caller, input)),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      redemptions: (parent, args, context) =>
        connectionOf(REDEMPTION, 'mobileNumber', digitsOf(parent), args, context),
    },
    ...eventResolvers(app, REDEMPTION),
    Redemption: {
      ...transactionFields(REDEMPTION),
      __resolveReference: ({ redemptionId }, { loaders }) => loaders.transaction.load(redemptionId),
      redemptionId: ({ id }) => id,
      redemptionTransaction: ({ body }) => body as RedemptionTransaction,
      redemptionDate: ({ status, completedAt }) => (status === 'success' ? completedAt : null),
    },
    RedemptionTransaction: {
      mobileNumber: ({ mobileNumber }) =>
        showPhone(parsePhone('mobileNumber', mobileNumber, app.config.countryCode)),
    },
    RedemptionInformation: {
      redemptionPoints: ({ redemptionPoints }) => toDecimal(redemptionPoints),
    },
  }
}
