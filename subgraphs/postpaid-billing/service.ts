/** Bill payments and the customer inquiry: what REST and GraphQL call. */

import type { Caller } from '#core/access/caller.ts'
import { phoneInContext } from '#core/access/phone-context.ts'
import { READERS } from '#core/access/principal.ts'
import { requireRole } from '#core/access/roles.ts'
import type { App } from '#core/context/app.ts'
import type { AccountRecord } from '#core/directory/directory.ts'
import { createSearch, type FoundAccounts, type SearchArgs } from '#core/directory/search.ts'
import type { TransactionRow } from '#core/transactions/kind.ts'
import { createTransactionService, type TransactionService } from '#core/transactions/service.ts'
import type { Settlement } from '#core/transactions/settlement.ts'
import type { TransactionStore } from '#core/transactions/store.ts'
import { parsePhone } from '#core/values/phone.ts'
import { checkReference } from '#core/values/text.ts'
import { differentAccounts, phoneNumberRequired, unknownLine } from './errors.ts'
import { PAYMENT } from './kind.ts'
import type { CreateBillPayment, PaymentTransaction } from './rest.generated.ts'
import { validatePayment } from './rules.ts'

/** A payment as it stands in its table. */
export type PaymentRow = TransactionRow<PaymentTransaction>

/** What REST and GraphQL call; create is the contract's `POST /postpaid-billing/v1/payments`. */
export interface PaymentService extends TransactionService<PaymentTransaction, CreateBillPayment> {
  /** The customer inquiry (contract: `GET /postpaid-billing/v1/customers`). */
  inquireCustomer(caller: Caller, query: CustomerQuery): Promise<AccountRecord>
  /**
   * The customers that a person's text finds; portals and analysts alone may ask.
   * @param within the only account that may be found; undefined for all.
   */
  searchCustomers(caller: Caller, args: SearchArgs, within: string | undefined): Promise<FoundAccounts>
}

/** How a payment is settled: the dues of its account fall by the amount. */
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

/** The contract's four query parameters. */
export interface CustomerQuery {
  readonly phoneNumber?: string
  readonly fixedlineNumber?: string
  readonly internetAccount?: string
  readonly customerAccountNumber?: string
}

/** The account number that each given parameter leads to; undefined where it leads nowhere. */
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

/** Numbers as the directory has them; a bound phone number stands in for one that is not named. */
const normalise = (app: App, { principal }: Caller, query: CustomerQuery): CustomerQuery => {
  const digits = (name: 'phoneNumber' | 'fixedlineNumber') =>
    query[name] ? parsePhone(name, query[name], app.config.countryCode) : undefined
  const phoneNumber = phoneInContext(principal, 'phoneNumber', digits('phoneNumber'))
  return { ...query, phoneNumber, fixedlineNumber: digits('fixedlineNumber') }
}

/** A token that is bound to a number is not told whether what leads elsewhere leads anywhere. */
const unknown = ({ principal }: Caller, name: string) =>
  principal.phoneNumber === undefined || name === 'phoneNumber' ? unknownLine(name) : differentAccounts()

/**
 * Finds the customer.
 * @throws ServiceError INVALID_ARGUMENT for an unknown number, or numbers of different accounts (404 is not
 * declared there); CARRIER_BILLING.PHONE_NUMBER_REQUIRED when nothing is named and the token is not bound.
 */
async function inquireCustomer(app: App, caller: Caller, query: CustomerQuery): Promise<AccountRecord> {
  for (const [name, text] of Object.entries(query)) if (text != null) checkReference(name, text)
  const found = Object.entries(leads(app, normalise(app, caller, query)))
  if (found.length === 0) throw phoneNumberRequired()
  const accounts = new Set<string>()
  for (const [name, lead] of found) {
    const accountNumber = await lead
    if (accountNumber === undefined) throw unknown(caller, name)
    accounts.add(accountNumber)
  }
  if (accounts.size > 1) throw differentAccounts()
  return (await app.directory.account([...accounts][0]!))!
}

/** Bill payments in this process. */
export const createPaymentService = (
  app: App,
  store: TransactionStore<PaymentTransaction>,
): PaymentService => {
  const search = createSearch(app.reader, app.directory)
  const { countryCode } = app.config
  return {
    ...createTransactionService(store, (caller, body: CreateBillPayment) =>
      validatePayment(app, caller, body),
    ),
    inquireCustomer: (caller, query) => inquireCustomer(app, caller, query),
    async searchCustomers(caller, args, within) {
      requireRole(caller.principal, READERS, 'customers')
      return search(args, { countryCode, within })
    },
  }
}
