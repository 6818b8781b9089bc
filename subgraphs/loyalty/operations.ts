/** REST: each operation of `schema/loyalty.openapi.yaml` as a call of the service. */

import type { Caller } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { transactionOperations, webhookEcho } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { hasTakenPlace } from '#core/transactions/kind.ts'
import { formatOffset } from '#core/values/time.ts'
import { REWARD } from './kind.ts'
import type { Reward, RewardCreated, RewardTransaction } from './rest.generated.ts'

/** Makes the response of create, which leaves out what was sent. */
const toCreated = (app: App, caller: Caller, row: ShownRow<RewardTransaction>): RewardCreated => {
  const time = (date: Date) => formatOffset(date, app.config.timezone)
  return {
    rewardId: row.id,
    transactionOperationStatus: row.status as RewardCreated['transactionOperationStatus'],
    rewardCreationDate: time(row.createdAt),
    ...(hasTakenPlace(row) && row.completedAt && { rewardDate: time(row.completedAt) }),
    ...webhookEcho(caller, row),
  }
}

const toReward = (app: App, caller: Caller, row: ShownRow<RewardTransaction>): Reward => ({
  ...toCreated(app, caller, row),
  rewardTransaction: row.body,
})

export const operations = transactionOperations(REWARD, toReward, toCreated)
