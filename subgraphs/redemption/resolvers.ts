/** The graph: each field of `schema/redemption.graphql` as a call of the service or a loader. */
import type { App } from '../shared/context/app.ts'
import { readDocument } from '../shared/contract/openapi.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { subscriberFields } from '../shared/graph/directory-fields.ts'
import { msisdnOf } from '../shared/graph/entities.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { createInputValidator } from '../shared/graph/mutation-input.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { toDecimal } from '../shared/values/decimal.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { REDEMPTION } from './kind.ts'
import type { CreateRedemption, RedemptionTransaction } from './rest.generated.ts'
import type { RedemptionService } from './service.ts'

export const resolvers = (app: App, service: RedemptionService): Resolvers => {
  const createRedemption = createInputValidator<CreateRedemption>(
    readDocument('redemption'),
    'createRedemption',
  )
  return {
    Query: {
      redemption: (_, { redemptionId }, { caller }) =>
        nullIfNotFound(service.getRedemption(caller, redemptionId)),
      redemptions: (_, args, context) => connectionOfAll(app, REDEMPTION, args, context),
    },
    Mutation: {
      createRedemption: (_, { input }, { caller }) =>
        service.createRedemption(caller, createRedemption(caller, input)),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      redemptions: (parent, args, context) =>
        connectionOf(REDEMPTION, 'mobileNumber', msisdnOf(parent), args, context),
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
