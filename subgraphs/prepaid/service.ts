/** Recharges: what REST and GraphQL call. */

import type { Caller } from '../shared/access/caller.ts'
import type { App } from '../shared/context/app.ts'
import type { TransactionRow } from '../shared/transactions/kind.ts'
import type { QueryText } from '../shared/transactions/list-query.ts'
import type { Page } from '../shared/transactions/page.ts'
import type { Settlement } from '../shared/transactions/settle.ts'
import type { TransactionStore } from '../shared/transactions/store.ts'
import { toDecimal } from '../shared/values/decimal.ts'
import { RECHARGE } from './kind.ts'
import type { CreateRecharge, RechargeTransaction } from './rest.generated.ts'
import { validateRecharge } from './rules.ts'

/** A recharge as it stands in its table. */
export type RechargeRow = TransactionRow<RechargeTransaction>

/** What REST and GraphQL call. */
export interface RechargeService {
  /** Posts a recharge; resolves when it is committed (contract: `POST /prepaid/v1/recharges`). */
  createRecharge(caller: Caller, body: CreateRecharge): Promise<RechargeRow>
  listRecharges(caller: Caller, query: QueryText): Promise<Page<RechargeTransaction>>
  getRecharge(caller: Caller, rechargeId: string): Promise<RechargeRow>
}

/** How a recharge is settled: the prepaid balance of its number rises by the amount. */
export const settlement: Settlement<RechargeTransaction> = {
  kind: RECHARGE,
  order: row => ({
    transactionId: row.id,
    operation: 'recharge',
    mobileNumber: row.mobileNumber!,
    currency: row.currency!,
    amount: toDecimal(String(row.amount)),
  }),
  statusFor: { done: 'succeeded', declined: 'denied', failed: 'failed', expired: 'failed' },
  done: 'The amount was added to the prepaid balance',
}

/** Recharges in this process. */
export const createRechargeService = (
  app: App,
  store: TransactionStore<RechargeTransaction>,
): RechargeService => ({
  createRecharge: async (caller, body) => store.insert(caller, await validateRecharge(app, caller, body)),
  listRecharges: store.list,
  getRecharge: store.get,
})
