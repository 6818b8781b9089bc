/** What may be posted against whom: the rules of a bill payment (contract document 1, docs/decisions.md). */

import type { Caller } from '#core/access/caller.ts'

import { phoneInContext } from '#core/access/phone-context.ts'
import type { App } from '#core/context/app.ts'
import type { LineKind } from '#core/directory/directory.ts'
import { Faults } from '#core/errors/faults.ts'
import {
  checkItems,
  checkMoney,
  keepMetaData,
  measuredFor,
  type NewTransaction,
  startTransaction,
} from '#core/transactions/new-transaction.ts'
import { throwRefusals } from '#core/transactions/refusals.ts'
import { parsePhone } from '#core/values/phone.ts'
import { foreignLine, unknownAccount } from './errors.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment, CustomerInfo, PaymentInfo } from './rest.generated.ts'

const INFO = 'paymentTransaction.customerInfo'

const checkLine = async (app: App, kind: LineKind, path: string, number: string, accountNumber: string) => {
  const line = await app.directory.line(kind, number)
  if (line?.accountNumber !== accountNumber) throw foreignLine(path)
}

/** Every line that the payment names must be one of its account's. */
const checkLines = async (app: App, info: CustomerInfo, phone: string | undefined, faults: Faults) => {
  const { customerAccountNumber: account, fixedlineNumber: fixedline, internetAccount } = info
  const path = (name: string) => `${INFO}.${name}`
  const ofAccount = (kind: LineKind, at: string, number: string) =>
    faults.lookUp(() => checkLine(app, kind, at, number, account))
  if (phone !== undefined) await ofAccount('phone', path('phoneNumber'), phone)
  if (fixedline !== undefined) {
    const at = path('fixedlineNumber')
    const digits = faults.check(() => parsePhone(at, fixedline, app.config.countryCode))
    if (digits !== undefined) await ofAccount('fixedline', at, digits)
  }
  if (internetAccount !== undefined)
    await ofAccount('internetAccount', path('internetAccount'), internetAccount)
}

/** A token that is bound to a number is told of an unknown account what it is told of a foreign one. */
const checkAccount = async (app: App, { principal }: Caller, accountNumber: string) => {
  if (principal.phoneNumber === undefined && !(await app.directory.account(accountNumber)))
    throw unknownAccount(`${INFO}.customerAccountNumber`)
  return true
}

/** Whose lines they are can be said of an account that there is. @returns whether it is one. */
const checkCustomer = async (
  app: App,
  caller: Caller,
  { info, phone, faults }: { info: CustomerInfo; phone: string | undefined; faults: Faults },
) => {
  const isKnown = await faults.lookUp(() => checkAccount(app, caller, info.customerAccountNumber))
  if (isKnown) await checkLines(app, info, phone, faults)
  return isKnown
}

const phoneOf = (app: App, { principal }: Caller, { phoneNumber }: CustomerInfo) => {
  const path = `${INFO}.phoneNumber`
  const named = phoneNumber === undefined ? undefined : parsePhone(path, phoneNumber, app.config.countryCode)
  return phoneInContext(principal, path, named)
}

/** Checks the money and returns what of the payment may be kept. */
const keepPayment = (faults: Faults, info: PaymentInfo, { principal: { limits } }: Caller) => {
  const path = 'paymentTransaction.paymentInfo'
  const { paymentInformation, amountDetails, paymentMetaData: metaData } = info
  const money = checkMoney(faults, `${path}.paymentInformation`, paymentInformation, limits)
  checkItems(faults, `${path}.amountDetails`, amountDetails, limits)
  if (!metaData) return { money, paymentInfo: info }
  const paymentMetaData = faults.check(() => keepMetaData(`${path}.paymentMetaData`, metaData, limits))
  return { money, paymentInfo: { ...info, paymentMetaData } }
}

/**
 * Checks a payment against everything but other payments (those are checked under the sequence's lock).
 * @throws ServiceError INVALID_ARGUMENT, or CARRIER_BILLING.INVALID_TOKEN_CONTEXT for a number that is not the token's.
 */
export const validatePayment = async (
  app: App,
  caller: Caller,
  body: CreateBillPayment,
): Promise<NewTransaction> => {
  const { paymentTransaction: payment, webhook } = body
  const { customerInfo: info } = payment
  const faults = new Faults()
  const phone = faults.check(() => phoneOf(app, caller, info))
  const started = faults.check(() => startTransaction(app, caller, { ...payment, webhook }))
  const { money, paymentInfo } = keepPayment(faults, payment.paymentInfo, caller)
  const isKnown = await checkCustomer(app, caller, { info, phone, faults })
  const accountNumber = isKnown ? info.customerAccountNumber : undefined
  await throwRefusals(app, PAYMENT, faults, { ...measuredFor(caller), ...money, accountNumber })
  return { ...started!, ...money, accountNumber, mobileNumber: phone, body: { ...payment, paymentInfo } }
}
