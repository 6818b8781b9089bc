/** The rules of a recharge: what may be recharged on which number, and how it is settled (contract document 2, docs/decisions.md). */

import type { Caller } from '#core/access/principal.ts'
import { PREPAID_CUSTOMER_TYPE } from '#core/charging/booking.ts'
import type { App } from '#core/context/app.ts'
import type { AccountRecord, LineRecord } from '#core/directory/directory.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { Faults, together } from '#core/errors/faults.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { throwRefusals } from '#core/transactions/post/refusals.ts'
import {
  activeLine,
  checkItems,
  checkMoney,
  keepMetaData,
  measuredFor,
  numberInContext,
  startTransaction,
} from '#core/transactions/post/validate.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { RECHARGE } from './kind.ts'
import type {
  CreateRecharge,
  RechargeInfo,
  RechargeInformation,
  RechargeTransaction,
} from './rest.generated.ts'

/** The recharges as REST and the graph call them. */
export type Recharges = Transactions<RechargeTransaction, CreateRecharge>

const NUMBER = 'rechargeTransaction.mobileNumber'
const INFO = 'rechargeTransaction.rechargeInfo'

const INNER_NUMBER = `${INFO}.mobileNumber.mobileNumber`

const nothingToPost = (path: string) =>
  invalidField(
    path,
    'NOTHING_TO_POST',
    'has no amount, so there is nothing to post; give it here or in rechargeInformation',
    { sentence: 'The amount is missing, so there is nothing to post.' },
  )

const differentForms = (path: string, nested: string) =>
  invalidField(path, 'CONTRADICTION', `and ${nested} are different; give the same in both, or one of them`, {
    sentence: 'This is given in two forms that are different; give the same in both, or one of them.',
    dependsOn: [nested],
  })

const differentNumber = (path: string, outer: string) =>
  invalidField(path, 'CONTRADICTION', `is not the same number as ${outer}`, {
    sentence: 'This is not the same number as the one of the recharge.',
    dependsOn: [outer],
  })

/** Number that a recharge is for, and its place in the request. */
interface NamedNumber {
  readonly path: string
  readonly digits: string
}

/** Reads the number, which may be named within the group too, or there alone. Named twice, it must be the same one. */
const numberOf = (
  app: App,
  caller: Caller,
  { mobileNumber, rechargeInfo }: RechargeTransaction,
): NamedNumber | undefined =>
  together(faults => {
    const inner = rechargeInfo?.mobileNumber?.mobileNumber
    const path = mobileNumber === undefined && inner !== undefined ? INNER_NUMBER : NUMBER
    const digits = faults.check(() => numberInContext(app, caller, path, mobileNumber ?? inner))
    if (path === NUMBER && inner !== undefined)
      faults.check(() => {
        const other = numberInContext(app, caller, INNER_NUMBER, inner)
        if (digits !== undefined && other !== digits) throw differentNumber(INNER_NUMBER, NUMBER)
      })
    return digits === undefined ? undefined : { path, digits }
  })

/**
 * Fields of RechargeInfo, which has two forms: nested as declared, and flat as in the examples. They are read as one.
 */
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

/** Defaults of flags that are not given (contract: false). */
const DEFAULTS: Partial<RechargeInformation> = { isVatIncluded: false, isTaxIncluded: false }

/**
 * Selects the information of a recharge that was checked, whichever form it came in: the flat one has all required
 * fields then.
 */
export const informationOf = (info: RechargeInfo): RechargeInformation =>
  info.rechargeInformation ?? (info as RechargeInformation)

/** Checks that fields of both forms are the same; a field that one of them leaves out contradicts nothing. */
const checkAgreement = (path: string, info: RechargeInfo, nested: RechargeInformation) => {
  together(faults => {
    for (const name of FIELDS)
      if (info[name] !== undefined && info[name] !== (nested[name] ?? DEFAULTS[name]))
        faults.add([differentForms(`${path}.${name}`, `${path}.rechargeInformation.${name}`)])
  })
}

const requireField = (path: string, value: unknown) => {
  if (value === undefined) throw invalidField(path, 'REQUIRED', 'is required')
}

/**
 * Reads the information with the path of the form it came in.
 * @param faults collects where the two forms differ, or the flat one lacks what it needs.
 * @throws ServiceError INVALID_ARGUMENT when neither form holds an amount.
 */
function readInformation(
  faults: Faults,
  path: string,
  info: RechargeInfo | undefined,
): { path: string; information: RechargeInformation } {
  if (info?.rechargeInformation) {
    const information = info.rechargeInformation
    faults.check(() => checkAgreement(path, info, information))
    return { path: `${path}.rechargeInformation`, information }
  }
  if (info?.amount === undefined) throw nothingToPost(path)
  for (const name of REQUIRED) faults.check(() => requireField(`${path}.${name}`, info[name]))
  return { path, information: informationOf(info) }
}

/** Checks the money and returns what of the group may be kept, in the form it came in. */
const keepRecharge = (faults: Faults, info: RechargeInfo | undefined, { principal: { limits } }: Caller) => {
  const read = faults.check(() => readInformation(faults, INFO, info))
  const money = read && checkMoney(faults, read.path, read.information, limits)
  checkItems(faults, `${INFO}.amountDetails`, info?.amountDetails, limits)
  const metaData = info?.rechargeMetaData
  if (!metaData) return { money, rechargeInfo: info }
  const rechargeMetaData = faults.check(() => keepMetaData(`${INFO}.rechargeMetaData`, metaData, limits))
  return { money, rechargeInfo: { ...info, rechargeMetaData } }
}

/**
 * Requires a prepaid account.
 * @throws ServiceError INVALID_ARGUMENT for any other.
 */
export const requirePrepaid = (path: string, account: AccountRecord | null | undefined): void => {
  if (account?.customerType !== PREPAID_CUSTOMER_TYPE)
    throw invalidField(path, 'NOT_PREPAID', 'is not a prepaid number')
}

const prepaidLine = async (app: App, { path, digits }: NamedNumber) => {
  const line = await activeLine(app, path, digits)
  requirePrepaid(path, await app.directory.account(line.accountNumber))
  return line
}

/**
 * Checks a recharge against everything but other recharges (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or a CARRIER_BILLING code for a number that is missing or not the token's.
 */
export const validateRecharge: Validate<CreateRecharge> = async (app, caller, body) => {
  const { rechargeTransaction: recharge, webhook } = body
  const faults = new Faults()
  const number = faults.check(() => numberOf(app, caller, recharge))
  const started = faults.check(() => startTransaction(app, caller, { ...recharge, webhook }))
  const { money, rechargeInfo } = keepRecharge(faults, recharge.rechargeInfo, caller)
  const line = number && (await faults.lookUp(() => prepaidLine(app, number)))
  const measured = { ...measuredFor(caller), ...money, mobileNumber: number?.digits }
  await throwRefusals(app, RECHARGE, faults, measured)
  const { accountNumber } = line as LineRecord
  return {
    ...started!,
    ...money,
    accountNumber,
    mobileNumber: number!.digits,
    body: { ...recharge, rechargeInfo },
  }
}

/** Settlement of a recharge: the prepaid balance of its number rises by the amount. */
export const settlement: Settlement<RechargeTransaction> = {
  kind: RECHARGE,
  statusFor: {
    done: 'succeeded',
    declined: 'denied',
    failed: 'failed',
    expired: 'failed',
    cancelled: 'failed',
    invalid: 'failed',
  },
  done: 'The amount was added to the prepaid balance',
}
