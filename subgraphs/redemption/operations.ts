/** REST: each operation of `schema/redemption.openapi.yaml` as a call of the service. */

import type { Caller } from '../shared/access/caller.ts'
import type { App } from '../shared/context/app.ts'
import { listResponse, webhookEcho } from '../shared/http/responses.ts'
import type { Operations } from '../shared/http/rest.ts'
import { formatOffset } from '../shared/values/time.ts'
import type { Redemption, RedemptionCreated } from './rest.generated.ts'
import type { RedemptionRow, RedemptionService } from './service.ts'

/** What create answers with: everything but what was sent. */
const toCreated = (app: App, caller: Caller, row: RedemptionRow): RedemptionCreated => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    redemptionId: row.id,
    transactionOperationStatus: row.status as RedemptionCreated['transactionOperationStatus'],
    ...(row.status === 'success' && row.completedAt && { redemptionDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

const toRedemption = (app: App, caller: Caller, row: RedemptionRow): Redemption => ({
  ...toCreated(app, caller, row),
  redemptionTransaction: row.body,
})

export const operations = (app: App, service: RedemptionService): Operations => ({
  createRedemption: async ({ caller, body }) => {
    const row = await service.createRedemption(caller, body)
    return { status: 201, body: toCreated(app, caller, row) }
  },
  listRedemptions: async ({ caller, query }) =>
    listResponse(await service.listRedemptions(caller, query), row => toRedemption(app, caller, row)),
  getRedemption: async ({ caller, params }) => {
    const row = await service.getRedemption(caller, params['redemptionId']!)
    return { status: 200, body: toRedemption(app, caller, row) }
  },
})
