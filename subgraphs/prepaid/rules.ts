/** What may be recharged, and on which number: the rules of a recharge (contract document 2, docs/decisions.md). */
import type { App } from '../shared/app.ts'
import type { Caller } from '../shared/caller.ts'
import { PREPAID_CUSTOMER_TYPE } from '../shared/charging/lines.ts'
import type { AccountRecord } from '../shared/directory/directory.ts'
import type { Draft } from '../shared/transactions/decide.ts'
import { checkMoney, keepMetaData, startDraft } from '../shared/transactions/draft.ts'
import { activeLine, numberInContext } from '../shared/transactions/mobile-number.ts'
import { differentNumber, notPrepaid } from './errors.ts'
import { readInformation } from './recharge-info.ts'
import type { CreateRecharge, RechargeInfo, RechargeTransaction } from './rest.generated.ts'

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
 * Checks a recharge against everything but other recharges (those are met under the book's lock).
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export const draftRecharge = async (app: App, caller: Caller, body: CreateRecharge): Promise<Draft> => {
  const { rechargeTransaction: recharge, webhook } = body
  const mobileNumber = numberOf(app, caller, recharge)
  const draft = startDraft(app, caller, 'rechargeTransaction', { ...recharge, webhook })
  const { money, rechargeInfo } = keepRecharge(recharge.rechargeInfo, caller)
  const { accountNumber } = await activeLine(app, NUMBER, mobileNumber)
  requirePrepaid(NUMBER, await app.directory.account(accountNumber))
  return { ...draft, ...money, accountNumber, mobileNumber, body: { ...recharge, rechargeInfo } }
}
