/** The customer inquiry (contract document 1, `GET /postpaid-billing/v1/customers`): one account by what names it. */

import { type Caller, phoneInContext } from '#core/access/principal.ts'
import { recordReach } from '#core/access/visibility.ts'
import { duesOf } from '#core/charging/booking.ts'
import type { App } from '#core/context/app.ts'
import type { AccountRecord } from '#core/directory/directory.ts'
import { invalid, invalidField, ServiceError } from '#core/errors/catalogue.ts'
import { together } from '#core/errors/faults.ts'
import { toNearestNumber } from '#core/values/money.ts'
import { parsePhone } from '#core/values/phone.ts'
import { checkReference, NOT_UTF8, notUtf8, type Query } from '#core/values/text.ts'
import type { Customer } from '../rest.generated.ts'

/** The contract's four query parameters. */
export interface CustomerQuery {
  readonly phoneNumber?: string
  readonly fixedlineNumber?: string
  readonly internetAccount?: string
  readonly customerAccountNumber?: string
}

/** Finds the account number that each given parameter leads to; undefined where it leads to none. */
const leads = (app: App, query: CustomerQuery): Record<string, Promise<string | undefined>> => {
  const { phoneNumber, fixedlineNumber, internetAccount, customerAccountNumber } = query
  const found: Record<string, Promise<string | undefined>> = {}
  const account = async (line: ReturnType<App['directory']['line']>) => (await line)?.accountNumber
  if (phoneNumber) found['phoneNumber'] = account(app.directory.line('phone', phoneNumber))
  if (fixedlineNumber) found['fixedlineNumber'] = account(app.directory.line('fixedline', fixedlineNumber))
  if (internetAccount)
    found['internetAccount'] = account(app.directory.line('internetAccount', internetAccount))
  if (customerAccountNumber) {
    found['customerAccountNumber'] = app.directory
      .account(customerAccountNumber)
      .then(one => one?.accountNumber)
  }
  return found
}

/** Makes the refusal of numbers of different accounts; a bound number is one of them, whatever is given. */
const differentAccounts = ({ principal }: Caller) =>
  invalid(
    principal.phoneNumber === undefined
      ? 'The given numbers belong to different accounts; ask for one at a time'
      : 'What is given must belong to the account of the phone number that the token is bound to',
    { reason: 'DIFFERENT_ACCOUNTS' },
  )

/** Normalises the numbers of a query to the directory's form; a bound phone number stands in for an absent one. */
const normalise = (app: App, { principal }: Caller, query: CustomerQuery): CustomerQuery => {
  const digits = (name: 'phoneNumber' | 'fixedlineNumber') =>
    query[name] ? parsePhone(name, query[name], app.config.countryCode) : undefined
  const phoneNumber = phoneInContext(principal, 'phoneNumber', digits('phoneNumber'))
  return { ...query, phoneNumber, fixedlineNumber: digits('fixedlineNumber') }
}

/**
 * Makes the refusal of an unknown number. A token that is bound to a number must not learn whether another number
 * exists.
 */
const unknown = (caller: Caller, name: string) =>
  caller.principal.phoneNumber === undefined || name === 'phoneNumber'
    ? invalidField(name, 'UNKNOWN_LINE', 'is not known to this operator')
    : differentAccounts(caller)

/**
 * Finds the customer.
 * @throws ServiceError INVALID_ARGUMENT for an unknown number, or numbers of different accounts (404 is not
 * declared there); CARRIER_BILLING.PHONE_NUMBER_REQUIRED when nothing is named and the token is not bound.
 */
export async function inquireCustomer(
  app: App,
  caller: Caller,
  query: CustomerQuery,
): Promise<AccountRecord> {
  for (const [name, text] of Object.entries(query)) if (text != null) checkReference(name, text)
  const normal = normalise(app, caller, query)
  const found = Object.entries(leads(app, normal))
  if (found.length === 0)
    throw new ServiceError(
      'CARRIER_BILLING.PHONE_NUMBER_REQUIRED',
      'Name a phoneNumber, fixedlineNumber, internetAccount or customerAccountNumber',
    )
  const accounts = new Set<string>()
  for (const [name, lead] of found) {
    const accountNumber = await lead
    if (accountNumber === undefined) throw unknown(caller, name)
    accounts.add(accountNumber)
  }
  if (accounts.size > 1) throw differentAccounts(caller)
  const [accountNumber] = [...accounts]
  recordReach(caller, { mobileNumber: normal.phoneNumber, accountNumber })
  return (await app.directory.account(accountNumber!))!
}

/** Shows an account as REST does, with its dues. */
export const toCustomer = async (app: App, account: AccountRecord): Promise<Customer> => {
  const { accountNumber, closed: _ours, ...fields } = account
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(known),
    customerAccountNumber: accountNumber,
    totalDues: toNearestNumber(await duesOf(app.db, accountNumber)),
  }
}

const PARAMETERS = ['phoneNumber', 'fixedlineNumber', 'internetAccount', 'customerAccountNumber'] as const

/** A plus that was not percent-encoded arrives as a space, with which no parameter starts. */
const withPlus = (text: string) => text.replace(/^ /, '+')

const parameterOf = (query: Query, name: string): string | undefined => {
  const value = query[name]
  if (value === NOT_UTF8) throw notUtf8(name)
  if (typeof value === 'object') throw invalidField(name, 'TOO_MANY', 'must be given once')
  return value && withPlus(value)
}

/** Reads the parameters of the inquiry, given once each; an empty one counts as absent. */
export const customerQuery = (query: Query): CustomerQuery =>
  together(faults => {
    const given = PARAMETERS.map(name => [name, faults.check(() => parameterOf(query, name))] as const)
    return Object.fromEntries(given.filter(([, text]) => text))
  })
