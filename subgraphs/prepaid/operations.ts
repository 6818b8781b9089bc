/** REST: each operation of `schema/prepaid.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { formatOffset } from '#core/values/time.ts'
import { RECHARGE } from './kind.ts'
import type { Recharge, RechargeTransaction } from './rest.generated.ts'

const toRecharge = (app: App, caller: Caller, row: ShownRow<RechargeTransaction>): Recharge => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    rechargeId: row.id,
    rechargeTransaction: row.body,
    transactionOperationStatus: row.status as Recharge['transactionOperationStatus'],
    rechargeCreationDate: time(row.createdAt),
    ...(row.status === 'succeeded' && row.completedAt && { rechargeDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

export const operations = transactionOperations(RECHARGE, toRecharge)
