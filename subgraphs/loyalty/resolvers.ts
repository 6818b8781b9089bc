/** The graph: each field of `schema/loyalty.graphql` as a call of the service or a loader. */

import { pointsKey } from '../shared/charging/balances.ts'
import type { App } from '../shared/context/app.ts'
import { readDocument } from '../shared/contract/openapi.ts'
import type { LineRecord } from '../shared/directory/directory.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { subscriberFields } from '../shared/graph/directory-fields.ts'
import { eligibilityOf } from '../shared/graph/eligibility.ts'
import { msisdnOf } from '../shared/graph/entities.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { createInputValidator } from '../shared/graph/mutation-input.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { requireActive } from '../shared/transactions/mobile-number.ts'
import { toDecimal } from '../shared/values/decimal.ts'
import { checkPoints } from '../shared/values/money.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { REWARD } from './kind.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'
import type { RewardService } from './service.ts'

export const resolvers = (app: App, service: RewardService): Resolvers => {
  const createReward = createInputValidator<CreateReward>(readDocument('loyalty'), 'createReward')
  return {
    Query: {
      reward: (_, { rewardId }, { caller }) => nullIfNotFound(service.getReward(caller, rewardId)),
      rewards: (_, args, context) => connectionOfAll(app, REWARD, args, context),
    },
    Mutation: {
      createReward: (_, { input }, { caller }) => service.createReward(caller, createReward(caller, input)),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      pointsBalance: (parent, _, { loaders }) => loaders.balance.load(pointsKey(msisdnOf(parent))),
      rewards: (parent, args, context) =>
        connectionOf(REWARD, 'mobileNumber', msisdnOf(parent), args, context),
      rewardEligibility: (parent, { points }, context) => {
        const checks = [
          (line: LineRecord | null) => requireActive('mobileNumber', line),
          () => checkPoints('points', points),
        ]
        return eligibilityOf(parent, { points, checks }, context)
      },
    },
    ...eventResolvers(app, REWARD),
    Reward: {
      ...transactionFields(REWARD),
      __resolveReference: ({ rewardId }, { loaders }) => loaders.transaction.load(rewardId),
      rewardId: ({ id }) => id,
      rewardTransaction: ({ body }) => body as RewardTransaction,
      rewardCreationDate: ({ createdAt }) => createdAt,
      rewardDate: ({ status, completedAt }) => (status === 'success' ? completedAt : null),
    },
    RewardTransaction: {
      mobileNumber: ({ mobileNumber }) =>
        showPhone(parsePhone('mobileNumber', mobileNumber, app.config.countryCode)),
    },
    RewardInformation: {
      rewardPoints: ({ rewardPoints }) => toDecimal(rewardPoints),
    },
  }
}
