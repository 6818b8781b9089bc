/** REST: each operation of `schema/redemption.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { hasTakenPlace } from '#core/transactions/kind.ts'
import { formatOffset } from '#core/values/time.ts'
import { REDEMPTION } from './kind.ts'
import type { Redemption, RedemptionCreated, RedemptionTransaction } from './rest.generated.ts'

/** Makes the response of create, which leaves out what was sent. */
const toCreated = (app: App, caller: Caller, row: ShownRow<RedemptionTransaction>): RedemptionCreated => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    redemptionId: row.id,
    transactionOperationStatus: row.status as RedemptionCreated['transactionOperationStatus'],
    ...(hasTakenPlace(row) && row.completedAt && { redemptionDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

const toRedemption = (app: App, caller: Caller, row: ShownRow<RedemptionTransaction>): Redemption => ({
  ...toCreated(app, caller, row),
  redemptionTransaction: row.body,
})

export const operations = transactionOperations(REDEMPTION, toRedemption, toCreated)
