/** The graph: each field of `schema/loyalty.graphql` as a call of the service or a loader. */

import { pointsKey } from '#core/charging/booking.ts'
import type { App } from '#core/context/app.ts'
import type { LineRecord } from '#core/directory/directory.ts'
import { msisdnOf } from '#core/graph/directory-fields.ts'
import { eligibilityOf } from '#core/graph/eligibility.ts'
import { reading } from '#core/graph/transaction-fields.ts'
import {
  dateOf,
  groupWithNumber,
  shownNumber,
  transactionResolvers,
} from '#core/graph/transaction-resolvers.ts'
import { requireActive } from '#core/transactions/post/validate.ts'
import { checkPoints, toDecimal } from '#core/values/money.ts'
import type { Resolvers } from './graph.generated.ts'
import { REWARD } from './kind.ts'
import type { RewardTransaction } from './rest.generated.ts'
import type { Rewards } from './rules.ts'

export const resolvers = (app: App, service: Rewards): Resolvers => {
  const rewards = transactionResolvers(app, REWARD, service)
  return {
    Query: rewards.query,
    Mutation: rewards.mutation,
    Subscriber: {
      ...rewards.subscriber,
      pointsBalance: (parent, _, { loaders }) => loaders.balance.load(pointsKey(msisdnOf(parent))),
      rewardEligibility: (parent, { points }, context) => {
        const checks = [
          (line: LineRecord | null) => requireActive('mobileNumber', line),
          () => checkPoints('points', points),
        ]
        return eligibilityOf(parent, { points, checks }, context)
      },
    },
    ...rewards.events,
    Reward: {
      ...rewards.entity,
      rewardTransaction: groupWithNumber<RewardTransaction>(),
      rewardCreationDate: reading(['createdAt'], ({ createdAt }) => createdAt),
      rewardDate: dateOf('success'),
    },
    RewardTransaction: {
      mobileNumber: shownNumber,
    },
    RewardInformation: {
      rewardPoints: ({ rewardPoints }) => toDecimal(rewardPoints),
    },
  }
}
