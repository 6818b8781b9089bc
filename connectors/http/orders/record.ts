/**
 * Records of outcomes. Those of calls are recorded many in one transaction: a result ends its order; an order that is
 * held, or without an outcome, gets the time of its next inquiry. Results hold whichever process brings them; anything
 * else only while the lease is still that of the call, since after it the outcome of another call counts. Results that
 * the charging system reports by itself are recorded on the order's row by any process, and finalized by one that
 * settles the kind.
 */
import { createBackoff } from '#core/async/retry.ts'
import type { ChargeProgress, ChargingConnector } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { type Db, Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { released } from '#core/queue/lease-queue.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { recordProgress, type Settled } from '#core/transactions/settle/finalize.ts'
import { finalizeOrders, givenIds, lockTransactions, type OrderResult } from './finalize.ts'
import { type ClaimedOrder, ORDERS, type OrderState } from './queue.ts'

/** The progress that a call brought; or the error by which it brought none, and whether certainly nothing was sent. */
export type CallOutcome =
  | { readonly progress: ChargeProgress }
  | { readonly error: string; readonly notSent?: { readonly retryAfterMs: number } }

/** A call for an order, with its outcome. */
export interface Called {
  readonly order: ClaimedOrder
  readonly outcome: CallOutcome
}

type Held = Extract<ChargeProgress, { outcome: 'pending' }>

/** The wait after a call without an outcome, in milliseconds: half a second, doubling to a minute. */
const retryMs = createBackoff({ firstMs: 500, longestMs: 60_000, jitter: 0.2 })
/** Wait before the next inquiry into an order that the system holds; the system may report by itself before. */
const pollMs = createBackoff({ firstMs: 1_000, longestMs: 300_000, jitter: 0.2 })

/** The next state of an order: the columns of its row. */
interface Next {
  readonly id: string
  readonly state: OrderState
  readonly attempts: number
  readonly waitMs: number | null
  readonly lastError: string | null
}

/** The next state after a call without an outcome. An order that was certainly not sent is as it was, and counts no attempt. */
const afterFailure = (
  order: ClaimedOrder,
  { error, notSent }: Extract<CallOutcome, { error: string }>,
): Next => {
  const { id, attempts } = order
  const wait = retryMs(attempts)
  if (notSent) {
    const waitMs = Math.max(notSent.retryAfterMs, wait)
    return { id, state: order.state, attempts, waitMs, lastError: error }
  }
  const state = order.state === 'waiting' ? 'sent' : order.state
  return { id, state, attempts: attempts + 1, waitMs: wait, lastError: error }
}

/**
 * Next state of an order that is held: one that has just been reserved is captured at once; any other gets the time of
 * its next inquiry, where the system answers inquiries.
 */
const afterHolding = (order: ClaimedOrder, held: Held, connector: ChargingConnector): Next => {
  const state = held.isReserved ? 'reserved' : 'pending'
  const isNew = order.state !== state
  const attempts = isNew ? 0 : order.attempts + 1
  const hasNextCall = connector.inquire || (held.isReserved && connector.capture)
  const isCapturedNext = isNew && held.isReserved && connector.capture
  const waitMs = isCapturedNext ? 0 : hasNextCall ? pollMs(attempts) : null
  return { id: order.id, state, attempts, waitMs, lastError: null }
}

const writeNext = (tx: Statements, next: readonly Next[]) =>
  tx.$executeRaw`
    WITH n AS MATERIALIZED (
      SELECT r.*, statement_timestamp() + r."waitMs" * interval '1 ms' AS at
      FROM ${valuesTable(next, Prisma.sql`id uuid, state text, attempts int, "waitMs" float8, "lastError" text`)} r)
    UPDATE charging."order" o SET state = n.state, attempts = n.attempts, last_error = n."lastError",
      submitted_at = CASE WHEN n.state = 'waiting' THEN NULL ELSE o.submitted_at END,
      next_attempt_at = n.at, ${released(ORDERS)}
    FROM n WHERE o.transaction_id = n.id`

interface LockedOrder {
  readonly id: string
  readonly state: string
  readonly lease: string | null
}

const lockOrders = async (tx: Statements, ids: readonly string[]): Promise<Map<string, LockedOrder>> => {
  const rows = await tx.$queryRaw<LockedOrder[]>`
    SELECT o.transaction_id AS id, o.state, o.leased_by AS lease
    FROM ${givenIds(ids)} g JOIN charging."order" o ON o.transaction_id = g.id
    ORDER BY o.transaction_id FOR UPDATE OF o`
  return new Map(rows.map(row => [row.id, row]))
}

/** The outcomes that hold, sorted by their meaning. */
const sort = (called: readonly Called[], locked: ReadonlyMap<string, LockedOrder>) => {
  const results: OrderResult[] = []
  const held: { order: ClaimedOrder; progress: Held }[] = []
  const failed: { order: ClaimedOrder; failure: Extract<CallOutcome, { error: string }> }[] = []
  for (const { order, outcome } of called) {
    const { state, lease } = locked.get(order.id)!
    if (state === 'concluded') continue
    if ('progress' in outcome && outcome.progress.outcome !== 'pending')
      results.push({ id: order.id, result: outcome.progress })
    else if (lease !== order.lease) continue
    else if ('error' in outcome) failed.push({ order, failure: outcome })
    else if (outcome.progress.outcome === 'pending') held.push({ order, progress: outcome.progress })
  }
  return { results, held, failed }
}

/** Shows in the transaction's status that its order is held, where the kind has a status for it. */
const showHeld = async (
  tx: Statements,
  settlement: Settlement,
  held: readonly { order: ClaimedOrder; progress: Held }[],
) => {
  if (held.length === 0 || !settlement.heldAs) return
  const byId = new Map(held.map(({ order, progress }) => [order.id, progress]))
  const rows = await lockTransactions(tx, settlement.kind, [...byId.keys()])
  await recordProgress(
    tx,
    settlement,
    rows.map(row => ({ row, progress: byId.get(row.id)! })),
  )
}

/** Records the outcomes of these calls, in the caller's transaction: all of them or none. */
export async function recordCalls(
  tx: Statements,
  app: App,
  settlement: Settlement,
  connector: ChargingConnector,
  called: readonly Called[],
): Promise<Settled[]> {
  const locked = await lockOrders(
    tx,
    called.map(({ order }) => order.id),
  )
  const { results, held, failed } = sort(called, locked)
  const next = [
    ...held.map(({ order, progress }) => afterHolding(order, progress, connector)),
    ...failed.map(({ order, failure }) => afterFailure(order, failure)),
  ]
  if (next.length > 0) await writeNext(tx, next)
  await showHeld(tx, settlement, held)
  return finalizeOrders(tx, app, settlement, results)
}

/** The effect of a report: recorded; repeated or contradicted an earlier one; or of no order that was ever sent. */
export type ReportEffect = 'recorded' | 'repeated' | 'contradicted' | 'unknown'

const recordResult = (db: Db, id: string, outcome: string, reason: string | null) => db.$executeRaw`
  UPDATE charging."order" SET state = 'known', outcome = ${outcome}, reason = ${reason},
    next_attempt_at = NULL, ${released(ORDERS)}
  WHERE transaction_id = ${id}::uuid AND state IN ('sent', 'pending', 'reserved')`

/**
 * Makes a held order due for an inquiry at once, where it has inquiries. The state is compared as an expression, so
 * that the row is found by its id, and not by the index of all held orders.
 */
const inquireSoon = (db: Db, id: string) => db.$executeRaw`
  UPDATE charging."order" SET next_attempt_at = statement_timestamp()
  WHERE transaction_id = ${id}::uuid AND state || '' IN ('pending', 'reserved') AND next_attempt_at IS NOT NULL`

const compareReport = async (db: Db, id: string, outcome: string): Promise<ReportEffect> => {
  const [order] = await db.$queryRaw<{ state: string; outcome: string | null }[]>`
    SELECT state, outcome FROM charging."order" WHERE transaction_id = ${id}::uuid`
  if (!order || order.state === 'waiting') return 'unknown'
  return outcome === 'pending' || order.outcome === outcome ? 'repeated' : 'contradicted'
}

/** Records a report of an order; it is committed once the promise resolves. */
export async function recordReport(db: Db, id: string, progress: ChargeProgress): Promise<ReportEffect> {
  const { outcome } = progress
  const reason = 'reason' in progress ? (progress.reason ?? null) : null
  const recorded =
    outcome === 'pending'
      ? await inquireSoon(db, id)
      : await recordResult(db, id, outcome, reason?.slice(0, 1_024) ?? null)
  return recorded > 0 ? 'recorded' : compareReport(db, id, outcome)
}
