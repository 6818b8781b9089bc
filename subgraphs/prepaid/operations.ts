/** REST: each operation of `schema/prepaid.openapi.yaml` as a call of the service. */

import type { Caller } from '../shared/access/caller.ts'
import type { App } from '../shared/context/app.ts'
import { listResponse, webhookEcho } from '../shared/http/responses.ts'
import type { Operations } from '../shared/http/rest.ts'
import { formatOffset } from '../shared/values/time.ts'
import type { Recharge } from './rest.generated.ts'
import type { RechargeRow, RechargeService } from './service.ts'

const toRecharge = (app: App, caller: Caller, row: RechargeRow): Recharge => {
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

export const operations = (app: App, service: RechargeService): Operations => ({
  createRecharge: async ({ caller, body }) => {
    const row = await service.createRecharge(caller, body)
    return { status: 201, body: toRecharge(app, caller, row) }
  },
  listRecharges: async ({ caller, query }) =>
    listResponse(await service.listRecharges(caller, query), row => toRecharge(app, caller, row)),
  getRecharge: async ({ caller, params }) => {
    const row = await service.getRecharge(caller, params['rechargeId']!)
    return { status: 200, body: toRecharge(app, caller, row) }
  },
})
