/** REST: each operation of `schema/postpaid-billing.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { Operations } from '#core/http/rest-operations.ts'
import { ofDatabase } from '#core/http/stored-responses.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { formatOffset } from '#core/values/time.ts'
import { customerQuery, inquireCustomer, toCustomer } from './customers/inquiry.ts'
import { PAYMENT } from './kind.ts'
import type { Payment, PaymentTransaction } from './rest.generated.ts'
import type { Payments } from './rules.ts'

const toPayment = (app: App, caller: Caller, row: ShownRow<PaymentTransaction>): Payment => {
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

export const operations = (app: App, payments: Payments): Operations => ({
  ...transactionOperations(PAYMENT, toPayment)(app, payments),
  inquireCustomer: ofDatabase(async ({ caller, query }) => {
    const account = await inquireCustomer(app, caller, customerQuery(query))
    return { status: 201, body: await toCustomer(app, account) }
  }),
})
