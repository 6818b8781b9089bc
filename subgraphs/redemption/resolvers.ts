/** The graph: each field of `schema/redemption.graphql` as a call of the service or a loader. */
import type { App } from '#core/context/app.ts'
import {
  dateOf,
  groupWithNumber,
  shownNumber,
  transactionResolvers,
} from '#core/graph/transaction-resolvers.ts'
import { toDecimal } from '#core/values/money.ts'
import type { Resolvers } from './graph.generated.ts'
import { REDEMPTION } from './kind.ts'
import type { RedemptionTransaction } from './rest.generated.ts'
import type { Redemptions } from './rules.ts'

export const resolvers = (app: App, service: Redemptions): Resolvers => {
  const redemptions = transactionResolvers(app, REDEMPTION, service)
  return {
    Query: redemptions.query,
    Mutation: redemptions.mutation,
    Subscriber: redemptions.subscriber,
    ...redemptions.events,
    Redemption: {
      ...redemptions.entity,
      redemptionTransaction: groupWithNumber<RedemptionTransaction>(),
      redemptionDate: dateOf('success'),
    },
    RedemptionTransaction: {
      mobileNumber: shownNumber,
    },
    RedemptionInformation: {
      redemptionPoints: ({ redemptionPoints }) => toDecimal(redemptionPoints),
    },
  }
}
