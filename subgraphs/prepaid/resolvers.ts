/** The graph: each field of `schema/prepaid.graphql` as a call of the service or a loader. */
import { HOME_CURRENCY, PREPAID_CUSTOMER_TYPE, prepaidKey } from '#core/charging/booking.ts'
import type { App } from '#core/context/app.ts'
import type { LineRecord } from '#core/directory/directory.ts'
import { msisdnOf, type SubscriberEntity } from '#core/graph/directory-fields.ts'
import { eligibilityOf } from '#core/graph/eligibility.ts'
import type { GraphContext } from '#core/graph/loaders.ts'
import { metaDataFields, moneyFields, reading } from '#core/graph/transaction-fields.ts'
import {
  dateOf,
  groupWithNumber,
  shownNumber,
  transactionResolvers,
} from '#core/graph/transaction-resolvers.ts'
import { requireActive } from '#core/transactions/post/validate.ts'
import { checkAmount } from '#core/values/money.ts'
import type { Resolvers } from './graph.generated.ts'
import { RECHARGE } from './kind.ts'
import type { RechargeTransaction } from './rest.generated.ts'
import { informationOf, type Recharges, requirePrepaid } from './rules.ts'

const accountOf = async (line: LineRecord | null, { loaders }: GraphContext) =>
  line && loaders.account.load(line.accountNumber)

/** Resolves the prepaid balance: only a prepaid number has one, and one that was never recharged has zero. */
const prepaidBalance = async (parent: SubscriberEntity, _: unknown, context: GraphContext) => {
  const digits = msisdnOf(parent)
  const account = await accountOf(await context.loaders.line.load(digits), context)
  if (account?.customerType !== PREPAID_CUSTOMER_TYPE) return null
  return { value: await context.loaders.balance.load(prepaidKey(digits)), currency: HOME_CURRENCY }
}

export const resolvers = (app: App, service: Recharges): Resolvers => {
  const recharges = transactionResolvers(app, RECHARGE, service)
  return {
    Query: recharges.query,
    Mutation: recharges.mutation,
    Subscriber: {
      ...recharges.subscriber,
      prepaidBalance,
      rechargeEligibility: (parent, { amount }, context) => {
        const checks = [
          (line: LineRecord | null) => requireActive('mobileNumber', line),
          async (line: LineRecord | null) => requirePrepaid('mobileNumber', await accountOf(line, context)),
          () => checkAmount('amount', amount, HOME_CURRENCY),
        ]
        return eligibilityOf(parent, { amount, currency: HOME_CURRENCY, checks }, context)
      },
    },
    ...recharges.events,
    Recharge: {
      ...recharges.entity,
      rechargeTransaction: groupWithNumber<RechargeTransaction>(),
      rechargeCreationDate: reading(['createdAt'], ({ createdAt }) => createdAt),
      rechargeDate: dateOf('succeeded'),
    },
    RechargeTransaction: {
      mobileNumber: shownNumber,
      rechargeInfo: ({ rechargeInfo }) => rechargeInfo!,
    },
    RechargeInfo: {
      rechargeInformation: informationOf,
    },
    RechargeInformation: moneyFields,
    RechargeItem: moneyFields,
    RechargeMetaData: metaDataFields,
  }
}
