/** REST: each operation of `schema/postpaid-billing.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/caller.ts'
import { duesOf } from '#core/charging/balances.ts'
import type { App } from '#core/context/app.ts'
import type { AccountRecord } from '#core/directory/directory.ts'
import { invalidField } from '#core/errors/catalogue.ts'
import { together } from '#core/errors/faults.ts'
import type { Operations } from '#core/http/rest.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { toNearestNumber } from '#core/values/decimal.ts'
import { NOT_UTF8, notUtf8, type Query } from '#core/values/query.ts'
import { formatOffset } from '#core/values/time.ts'
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

const parameterOf = (query: Query, name: string): string | undefined => {
  const value = query[name]
  if (value === NOT_UTF8) throw notUtf8(name)
  if (typeof value === 'object') throw invalidField(name, 'TOO_MANY', 'must be given once')
  return value && withPlus(value)
}

/** Given once each; an empty one counts as absent. */
const customerQuery = (query: Query): CustomerQuery =>
  together(faults => {
    const given = PARAMETERS.map(name => [name, faults.check(() => parameterOf(query, name))] as const)
    return Object.fromEntries(given.filter(([, text]) => text))
  })

export const operations = (app: App, service: PaymentService): Operations => ({
  ...transactionOperations(PAYMENT, toPayment)(app, service),
  inquireCustomer: async ({ caller, query }) => {
    const account = await service.inquireCustomer(caller, customerQuery(query))
    return { status: 201, body: await toCustomer(app, account) }
  },
})
