/** The graph: each field of `schema/prepaid.graphql` as a call of the service or a loader. */

import { HOME_CURRENCY, prepaidKey } from '../shared/charging/balances.ts'
import { PREPAID_CUSTOMER_TYPE } from '../shared/charging/lines.ts'
import type { App } from '../shared/context/app.ts'
import { readDocument } from '../shared/contract/openapi.ts'
import type { LineRecord } from '../shared/directory/directory.ts'
import { connectionOf, connectionOfAll } from '../shared/graph/connections.ts'
import { subscriberFields } from '../shared/graph/directory-fields.ts'
import { eligibilityOf } from '../shared/graph/eligibility.ts'
import { msisdnOf, type SubscriberEntity } from '../shared/graph/entities.ts'
import { eventResolvers } from '../shared/graph/event-fields.ts'
import type { GraphContext } from '../shared/graph/loaders.ts'
import { metaDataFields, moneyFields } from '../shared/graph/money-fields.ts'
import { createInputValidator } from '../shared/graph/mutation-input.ts'
import { nullIfNotFound } from '../shared/graph/null-if-not-found.ts'
import { transactionFields } from '../shared/graph/transaction-fields.ts'
import { requireActive } from '../shared/transactions/mobile-number.ts'
import { checkAmount } from '../shared/values/money.ts'
import { parsePhone, showPhone } from '../shared/values/phone.ts'
import type { Resolvers } from './graph.generated.ts'
import { RECHARGE } from './kind.ts'
import type { CreateRecharge } from './rest.generated.ts'
import { informationOf, requirePrepaid } from './rules.ts'
import type { RechargeService } from './service.ts'

const accountOf = async (line: LineRecord | null, { loaders }: GraphContext) =>
  line && loaders.account.load(line.accountNumber)

/** Only a prepaid number has a balance; one that was never recharged has zero. */
const prepaidBalance = async (parent: SubscriberEntity, _: unknown, context: GraphContext) => {
  const digits = msisdnOf(parent)
  const account = await accountOf(await context.loaders.line.load(digits), context)
  if (account?.customerType !== PREPAID_CUSTOMER_TYPE) return null
  return { value: await context.loaders.balance.load(prepaidKey(digits)), currency: HOME_CURRENCY }
}

export const resolvers = (app: App, service: RechargeService): Resolvers => {
  const createRecharge = createInputValidator<CreateRecharge>(readDocument('prepaid'), 'createRecharge')
  return {
    Query: {
      recharge: (_, { rechargeId }, { caller }) => nullIfNotFound(service.getRecharge(caller, rechargeId)),
      recharges: (_, args, context) => connectionOfAll(app, RECHARGE, args, context),
    },
    Mutation: {
      createRecharge: (_, { input }, { caller }) =>
        service.createRecharge(caller, createRecharge(caller, input)),
    },
    Subscriber: {
      __resolveReference: subscriberFields.__resolveReference,
      prepaidBalance,
      recharges: (parent, args, context) =>
        connectionOf(RECHARGE, 'mobileNumber', msisdnOf(parent), args, context),
      rechargeEligibility: (parent, { amount }, context) => {
        const checks = [
          (line: LineRecord | null) => requireActive('mobileNumber', line),
          async (line: LineRecord | null) => requirePrepaid('mobileNumber', await accountOf(line, context)),
          () => checkAmount('amount', amount, HOME_CURRENCY),
        ]
        return eligibilityOf(parent, { amount, currency: HOME_CURRENCY, checks }, context)
      },
    },
    ...eventResolvers(app, RECHARGE),
    Recharge: {
      ...transactionFields(RECHARGE),
      __resolveReference: ({ rechargeId }, { loaders }) => loaders.transaction.load(rechargeId),
      rechargeId: ({ id }) => id,
      rechargeTransaction: ({ body }) => body as CreateRecharge['rechargeTransaction'],
      rechargeCreationDate: ({ createdAt }) => createdAt,
      rechargeDate: ({ status, completedAt }) => (status === 'succeeded' ? completedAt : null),
    },
    RechargeTransaction: {
      mobileNumber: ({ mobileNumber }) =>
        showPhone(parsePhone('mobileNumber', mobileNumber, app.config.countryCode)),
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
