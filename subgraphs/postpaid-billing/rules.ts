/** The rules of a bill payment: what may be posted to which account, and how it is settled (contract document 1, docs/decisions.md). */

import { type Caller, phoneInContext } from '#core/access/principal.ts'

import type { App } from '#core/context/app.ts'
import type { LineKind } from '#core/directory/directory.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { Faults } from '#core/errors/faults.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { throwRefusals } from '#core/transactions/post/refusals.ts'
import {
  checkItems,
  checkMoney,
  keepMetaData,
  measuredFor,
  startTransaction,
} from '#core/transactions/post/validate.ts'
import type { Transactions, Validate } from '#core/transactions/service/transactions.ts'
import { parsePhone } from '#core/values/phone.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment, CustomerInfo, PaymentInfo, PaymentTransaction } from './rest.generated.ts'

/** The payments as REST and the graph call them. */
export type Payments = Transactions<PaymentTransaction, CreateBillPayment>

const INFO = 'paymentTransaction.customerInfo'

const checkLine = async (app: App, kind: LineKind, path: string, number: string, accountNumber: string) => {
  const line = await app.directory.line(kind, number)
  if (line?.accountNumber !== accountNumber)
    throw invalidField(path, 'FOREIGN_LINE', 'is not a line of the account that the payment is for')
}

/** Checks that every line that the payment names is one of its account's. */
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

/** Checks that the account exists. A token that is bound to a number cannot tell an unknown account from a foreign one. */
const checkAccount = async (app: App, { principal }: Caller, accountNumber: string) => {
  if (principal.phoneNumber === undefined && !(await app.directory.account(accountNumber)))
    throw invalidField(
      `${INFO}.customerAccountNumber`,
      'UNKNOWN_ACCOUNT',
      'is not an account of this operator; the customer inquiry tells the right one',
    )
  return true
}

/** Checks the account, and its lines where it exists. @returns whether it exists. */
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
export const validatePayment: Validate<CreateBillPayment> = async (app, caller, body) => {
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

/** Settlement of a payment: the dues of its account fall by the amount. */
export const settlement: Settlement<PaymentTransaction> = {
  kind: PAYMENT,
  statusFor: {
    done: 'succeeded',
    declined: 'denied',
    failed: 'denied',
    expired: 'denied',
    cancelled: 'cancelled',
    invalid: 'denied',
  },
  heldAs: { reserved: 'reserved' },
  done: 'The payment was posted to the account',
}
