/** What may be recharged, and on which number: the rules of a recharge (contract document 2, docs/decisions.md). */

import type { Caller } from '../shared/access/caller.ts'
import type { Limits } from '../shared/access/principal.ts'
import { PREPAID_CUSTOMER_TYPE } from '../shared/charging/lines.ts'
import type { App } from '../shared/context/app.ts'
import type { AccountRecord, LineRecord } from '../shared/directory/directory.ts'
import { Faults, together } from '../shared/errors/faults.ts'
import { activeLine, numberInContext } from '../shared/transactions/mobile-number.ts'
import {
  checkItems,
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
const checkInner = (
  app: App,
  caller: Caller,
  { rechargeInfo }: RechargeTransaction,
  outer: string | undefined,
) => {
  const path = `${INFO}.mobileNumber.mobileNumber`
  const inner = rechargeInfo?.mobileNumber?.mobileNumber
  if (inner === undefined) return
  const digits = numberInContext(app, caller, path, inner)
  if (outer !== undefined && digits !== outer) throw differentNumber(path, NUMBER)
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

const requireField = (path: string, value: unknown) => {
  if (value === undefined) throw missingField(path)
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
  together(faults => {
    for (const name of REQUIRED) faults.check(() => requireField(`${path}.${name}`, info[name]))
  })
  return { path, information: informationOf(info) }
}

const moneyOf = (info: RechargeInfo | undefined, limits: Limits) => {
  const { path, information } = readInformation(INFO, info)
  return checkMoney(path, information, limits)
}

/** Checks the money and returns what of the group may be kept, in the form it came in. */
const keepRecharge = (info: RechargeInfo | undefined, { principal: { limits } }: Caller) =>
  together(faults => {
    const money = faults.check(() => moneyOf(info, limits))
    faults.check(() => checkItems(`${INFO}.amountDetails`, info?.amountDetails, limits))
    const metaData = info?.rechargeMetaData
    if (!metaData) return { ...money!, rechargeInfo: info }
    const rechargeMetaData = faults.check(() => keepMetaData(`${INFO}.rechargeMetaData`, metaData, limits))
    return { ...money!, rechargeInfo: { ...info, rechargeMetaData } }
  })

/** @throws ServiceError INVALID_ARGUMENT unless the account is a prepaid one. */
export const requirePrepaid = (path: string, account: AccountRecord | null | undefined): void => {
  if (account?.customerType !== PREPAID_CUSTOMER_TYPE) throw notPrepaid(path)
}

const prepaidLine = async (app: App, digits: string) => {
  const line = await activeLine(app, NUMBER, digits)
  requirePrepaid(NUMBER, await app.directory.account(line.accountNumber))
  return line
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
  const faults = new Faults()
  const mobileNumber = faults.check(() => numberInContext(app, caller, NUMBER, recharge.mobileNumber))
  faults.check(() => checkInner(app, caller, recharge, mobileNumber))
  const started = faults.check(() => startTransaction(app, caller, { ...recharge, webhook }))
  const kept = faults.check(() => keepRecharge(recharge.rechargeInfo, caller))
  const line = mobileNumber && (await faults.lookUp(() => prepaidLine(app, mobileNumber)))
  faults.throwAny()
  const { rechargeInfo, ...money } = kept!
  const { accountNumber } = line as LineRecord
  return { ...started!, ...money, accountNumber, mobileNumber, body: { ...recharge, rechargeInfo } }
}
