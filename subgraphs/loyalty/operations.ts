/** REST: each operation of `schema/loyalty.openapi.yaml` as a call of the service. */

import type { Caller } from '../shared/access/caller.ts'
import type { App } from '../shared/context/app.ts'
import { listResponse, webhookEcho } from '../shared/http/responses.ts'
import type { Operations } from '../shared/http/rest.ts'
import { formatOffset } from '../shared/values/time.ts'
import type { Reward, RewardCreated } from './rest.generated.ts'
import type { RewardRow, RewardService } from './service.ts'

/** What create answers with: everything but what was sent. */
const toCreated = (app: App, caller: Caller, row: RewardRow): RewardCreated => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    rewardId: row.id,
    transactionOperationStatus: row.status as RewardCreated['transactionOperationStatus'],
    rewardCreationDate: time(row.createdAt),
    ...(row.status === 'success' && row.completedAt && { rewardDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

const toReward = (app: App, caller: Caller, row: RewardRow): Reward => ({
  ...toCreated(app, caller, row),
  rewardTransaction: row.body,
})

export const operations = (app: App, service: RewardService): Operations => ({
  createReward: async ({ caller, body }) => {
    const row = await service.createReward(caller, body)
    return { status: 201, body: toCreated(app, caller, row) }
  },
  listRewards: async ({ caller, query }) =>
    listResponse(await service.listRewards(caller, query), row => toReward(app, caller, row)),
  getReward: async ({ caller, params }) => {
    const row = await service.getReward(caller, params['rewardId']!)
    return { status: 200, body: toReward(app, caller, row) }
  },
})
