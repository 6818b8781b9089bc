/** What may be recharged, and on which number: the rules of a recharge (contract document 2, docs/decisions.md). */

import type { Caller } from '../shared/access/caller.ts'
import { PREPAID_CUSTOMER_TYPE } from '../shared/charging/lines.ts'
import type { App } from '../shared/context/app.ts'
import type { AccountRecord } from '../shared/directory/directory.ts'
import { activeLine, numberInContext } from '../shared/transactions/mobile-number.ts'
import {
  checkMoney,
  keepMetaData,
  type NewTransaction,
  startTransaction,
} from '../shared/transactions/new-transaction.ts'
import { differentForms, differentNumber, missingField, nothingToPost, notPrepaid } from './errors.ts'
import type {
  CreateRecharge,
  RechargeInfo,
  RechargeInformation,
  RechargeTransaction,
} from './rest.generated.ts'

const NUMBER = 'rechargeTransaction.mobileNumber'
const INFO = 'rechargeTransaction.rechargeInfo'

/** The number may be named a second time, within the group; it must be the same one. */
const numberOf = (app: App, caller: Caller, { mobileNumber, rechargeInfo }: RechargeTransaction) => {
  const digits = numberInContext(app, caller, NUMBER, mobileNumber)
  const path = `${INFO}.mobileNumber.mobileNumber`
  const inner = rechargeInfo?.mobileNumber?.mobileNumber
  if (inner !== undefined && numberInContext(app, caller, path, inner) !== digits) {
    throw differentNumber(path, NUMBER)
  }
  return digits
}

/** RechargeInfo has two forms, nested as declared and flat as in the examples; they are read as one. */
const FIELDS = [
  'amount',
  'currency',
  'description',
  'isVatIncluded',
  'vatAmount',
  'isTaxIncluded',
  'taxAmount',
] as const

const REQUIRED = ['currency', 'description'] as const

/** What a flag that is not given means (contract: default false). */
const DEFAULTS: Partial<RechargeInformation> = { isVatIncluded: false, isTaxIncluded: false }

/** The information of a recharge that was checked, whichever form it came in: the flat one has then what is required. */
export const informationOf = (info: RechargeInfo): RechargeInformation =>
  info.rechargeInformation ?? (info as RechargeInformation)

/** What stands in both forms must be the same; what one of them leaves out contradicts nothing. */
const checkAgreement = (path: string, info: RechargeInfo, nested: RechargeInformation) => {
  const differs = FIELDS.find(
    name => info[name] !== undefined && info[name] !== (nested[name] ?? DEFAULTS[name]),
  )
  if (differs) throw differentForms(`${path}.${differs}`, `${path}.rechargeInformation.${differs}`)
}

/**
 * The information with the path of the form it came in.
 * @throws ServiceError INVALID_ARGUMENT when neither form holds an amount, or the two differ.
 */
export function readInformation(
  path: string,
  info: RechargeInfo | undefined,
): { path: string; information: RechargeInformation } {
  if (info?.rechargeInformation) {
    checkAgreement(path, info, info.rechargeInformation)
    return { path: `${path}.rechargeInformation`, information: info.rechargeInformation }
  }
  if (info?.amount === undefined) throw nothingToPost(path)
  const missing = REQUIRED.find(name => info[name] === undefined)
  if (missing) throw missingField(`${path}.${missing}`)
  return { path, information: informationOf(info) }
}

/** Checks the money and returns what of the group may be kept, in the form it came in. */
const keepRecharge = (info: RechargeInfo | undefined, { principal: { limits } }: Caller) => {
  const { path, information } = readInformation(INFO, info)
  const money = checkMoney(path, information, limits)
  info?.amountDetails?.forEach((item, index) => checkMoney(`${INFO}.amountDetails[${index}]`, item, limits))
  const metaData = info?.rechargeMetaData
  if (!metaData) return { money, rechargeInfo: info }
  return {
    money,
    rechargeInfo: { ...info, rechargeMetaData: keepMetaData(`${INFO}.rechargeMetaData`, metaData, limits) },
  }
}

/** @throws ServiceError INVALID_ARGUMENT unless the account is a prepaid one. */
export const requirePrepaid = (path: string, account: AccountRecord | null | undefined): void => {
  if (account?.customerType !== PREPAID_CUSTOMER_TYPE) throw notPrepaid(path)
}

/**
 * Checks a recharge against everything but other recharges (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateRecharge = async (
  app: App,
  caller: Caller,
  body: CreateRecharge,
): Promise<NewTransaction> => {
  const { rechargeTransaction: recharge, webhook } = body
  const mobileNumber = numberOf(app, caller, recharge)
  const started = startTransaction(app, caller, { ...recharge, webhook })
  const { money, rechargeInfo } = keepRecharge(recharge.rechargeInfo, caller)
  const { accountNumber } = await activeLine(app, NUMBER, mobileNumber)
  requirePrepaid(NUMBER, await app.directory.account(accountNumber))
  return { ...started, ...money, accountNumber, mobileNumber, body: { ...recharge, rechargeInfo } }
}
