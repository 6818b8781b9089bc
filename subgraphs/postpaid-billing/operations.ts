/** REST: each operation of `schema/postpaid-billing.openapi.yaml` as a call of the service. */

import type { Caller } from '../shared/access/caller.ts'
import { duesOf } from '../shared/charging/balances.ts'
import type { App } from '../shared/context/app.ts'
import type { AccountRecord } from '../shared/directory/directory.ts'
import { invalidField } from '../shared/errors/catalogue.ts'
import type { Operations } from '../shared/http/rest.ts'
import { transactionOperations, webhookEcho } from '../shared/http/transaction-operations.ts'
import type { ShownRow } from '../shared/transactions/columns.ts'
import type { QueryText } from '../shared/transactions/list-query.ts'
import { toNearestNumber } from '../shared/values/decimal.ts'
import { formatOffset } from '../shared/values/time.ts'
import { PAYMENT } from './kind.ts'
import type { Customer, Payment } from './rest.generated.ts'
import type { CustomerQuery, PaymentRow, PaymentService } from './service.ts'

const toPayment = (app: App, caller: Caller, row: ShownRow<PaymentRow['body']>): Payment => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    paymentId: row.id,
    paymentTransaction: row.body,
    transactionOperationStatus: row.status as Payment['transactionOperationStatus'],
    paymentCreationDate: time(row.createdAt),
    ...(row.status === 'succeeded' && row.completedAt && { paymentDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

const toCustomer = async (app: App, account: AccountRecord): Promise<Customer> => {
  const { accountNumber, closed: _ours, ...fields } = account
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(known),
    customerAccountNumber: accountNumber,
    totalDues: toNearestNumber(await duesOf(app.reader, accountNumber)),
  }
}

const PARAMETERS = ['phoneNumber', 'fixedlineNumber', 'internetAccount', 'customerAccountNumber'] as const

/** A plus that was not percent-encoded arrives as a space, with which no parameter starts. */
const withPlus = (text: string) => text.replace(/^ /, '+')

/** Given once each; an empty one counts as absent. */
const customerQuery = (query: QueryText): CustomerQuery => {
  const repeated = PARAMETERS.find(name => Array.isArray(query[name]))
  if (repeated) throw invalidField(repeated, 'TOO_MANY', 'must be given once')
  const given = PARAMETERS.filter(name => query[name])
  return Object.fromEntries(given.map(name => [name, withPlus(query[name] as string)]))
}

export const operations = (app: App, service: PaymentService): Operations => ({
  ...transactionOperations(PAYMENT, toPayment)(app, service),
  inquireCustomer: async ({ caller, query }) => {
    const account = await service.inquireCustomer(caller, customerQuery(query))
    return { status: 201, body: await toCustomer(app, account) }
  },
})
