/** REST: each operation of `schema/prepaid.openapi.yaml` as a call of the service. */

import type { Caller } from '../shared/access/caller.ts'
import type { App } from '../shared/context/app.ts'
import { transactionOperations, webhookEcho } from '../shared/http/transaction-operations.ts'
import type { ShownRow } from '../shared/transactions/columns.ts'
import { formatOffset } from '../shared/values/time.ts'
import { RECHARGE } from './kind.ts'
import type { Recharge } from './rest.generated.ts'
import type { RechargeRow } from './service.ts'

const toRecharge = (app: App, caller: Caller, row: ShownRow<RechargeRow['body']>): Recharge => {
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
