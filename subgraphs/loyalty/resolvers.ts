/** The graph: each field of `schema/loyalty.graphql` as a call of the service or a loader. */
import type { App } from '../shared/app.ts'
import { pointsKey } from '../shared/charging/balances.ts'
import type { LineRecord } from '../shared/directory/directory.ts'
import { subscriberFields } from '../shared/directory/fields-of-graph.ts'
import { orNull } from '../shared/graph/absent.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { openDoor } from '../shared/graph/door.ts'
import { eligibilityOf } from '../shared/graph/eligibility.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import { digitsOf } from '../shared/graph/parents.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { readDocument } from '../shared/http/contract.ts'
import { requireActive } from '../shared/transactions/mobile-number.ts'
import { toDecimal } from '../shared/values/decimal.ts'
import { checkPoints } from '../shared/values/money.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { REWARD } from './kind.ts'
import type { CreateReward, RewardTransaction } from './rest.generated.ts'
import type { RewardService } from './service.ts'

export const resolvers = (app: App, service: RewardService): Resolvers => {
  const createReward = openDoor<CreateReward>(readDocument('loyalty'), 'createReward')
  return {
    Query: {
      reward: (_, { rewardId }, { caller }) => orNull(service.getReward(caller, rewardId)),
      rewards: (_, args, context) => connectionOfAll(app, REWARD, args, context),
    },
    Mutation: {
      createReward: (_, { input }, { caller }) => service.createReward(caller, createReward(caller, input)),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      pointsBalance: (parent, _, { loaders }) => loaders.balance.load(pointsKey(digitsOf(parent))),
      rewards: (parent, args, context) =>
        connectionOf(REWARD, 'mobileNumber', digitsOf(parent), args, context),
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
