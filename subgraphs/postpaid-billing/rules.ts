/** What may be posted against whom: the rules of a bill payment (contract document 1, docs/decisions.md). */

import type { Caller } from '../shared/access/caller.ts'

import { phoneInContext } from '../shared/access/phone-context.ts'
import type { App } from '../shared/context/app.ts'
import type { LineKind } from '../shared/directory/directory.ts'
import {
  checkMoney,
  keepMetaData,
  type NewTransaction,
  startTransaction,
} from '../shared/transactions/new-transaction.ts'
import { parsePhone } from '../shared/values/phone.ts'
import { foreignLine, unknownAccount } from './errors.ts'
import type { CreateBillPayment, CustomerInfo, PaymentInfo } from './rest.generated.ts'

const INFO = 'paymentTransaction.customerInfo'

const checkLine = async (app: App, kind: LineKind, path: string, number: string, accountNumber: string) => {
  const line = await app.directory.line(kind, number)
  if (line?.accountNumber !== accountNumber) throw foreignLine(path)
}

/** Every line that the payment names must be one of its account's. */
const checkLines = async (app: App, info: CustomerInfo, phoneNumber: string | undefined) => {
  const { customerAccountNumber, fixedlineNumber, internetAccount } = info
  if (phoneNumber !== undefined)
    await checkLine(app, 'phone', `${INFO}.phoneNumber`, phoneNumber, customerAccountNumber)
  if (fixedlineNumber !== undefined) {
    const digits = parsePhone(`${INFO}.fixedlineNumber`, fixedlineNumber, app.config.countryCode)
    await checkLine(app, 'fixedline', `${INFO}.fixedlineNumber`, digits, customerAccountNumber)
  }
  if (internetAccount !== undefined) {
    await checkLine(app, 'internetAccount', `${INFO}.internetAccount`, internetAccount, customerAccountNumber)
  }
}

const phoneOf = (app: App, { principal }: Caller, { phoneNumber }: CustomerInfo) => {
  const named =
    phoneNumber === undefined
      ? undefined
      : parsePhone(`${INFO}.phoneNumber`, phoneNumber, app.config.countryCode)
  return phoneInContext(principal, named)
}

/** Checks the money and returns what of the payment may be kept. */
const keepPayment = (info: PaymentInfo, { principal: { limits } }: Caller) => {
  const path = 'paymentTransaction.paymentInfo'
  const money = checkMoney(`${path}.paymentInformation`, info.paymentInformation, limits)
  info.amountDetails?.forEach((item, index) => checkMoney(`${path}.amountDetails[${index}]`, item, limits))
  const { paymentMetaData } = info
  if (!paymentMetaData) return { money, paymentInfo: info }
  return {
    money,
    paymentInfo: {
      ...info,
      paymentMetaData: keepMetaData(`${path}.paymentMetaData`, paymentMetaData, limits),
    },
  }
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
  const mobileNumber = phoneOf(app, caller, payment.customerInfo)
  const started = startTransaction(app, caller, { ...payment, webhook })
  const { money, paymentInfo } = keepPayment(payment.paymentInfo, caller)
  const accountNumber = payment.customerInfo.customerAccountNumber
  // A token that is bound to a number is told of an unknown account what it is told of a foreign one.
  if (caller.principal.phoneNumber === undefined && !(await app.directory.account(accountNumber)))
    throw unknownAccount(`${INFO}.customerAccountNumber`)
  await checkLines(app, payment.customerInfo, mobileNumber)
  return { ...started, ...money, accountNumber, mobileNumber, body: { ...payment, paymentInfo } }
}
