/**
 * Noting what calls told, many in one transaction: a result is concluded, an order that is held or of which nothing was
 * told gets the time at which it is asked about again. Results hold whoever brings them; anything else only while the
 * lease is still the caller's, since after it another caller's word counts.
 */
import { createBackoff } from '#core/async/retry.ts'
import type { ChargeProgress, ChargingConnector } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import { noteProgress, type Settled } from '#core/transactions/settle/finalize.ts'
import type { CallOutcome } from './carry-out.ts'
import { concludeOrders, givenIds, lockTransactions, type OrderResult } from './conclude.ts'
import type { ClaimedOrder, OrderState } from './order.ts'

/** An order that was called for, and what came of it. */
export interface Called {
  readonly order: ClaimedOrder
  readonly outcome: CallOutcome
}

type Held = Extract<ChargeProgress, { outcome: 'pending' }>

/** Until it is asked again of what nothing was told, in milliseconds: half a second, doubling to a minute. */
const retryMs = createBackoff({ firstMs: 500, longestMs: 60_000, jitter: 0.2 })
/** Until it is asked about again what the system holds: it may tell by itself before. */
const pollMs = createBackoff({ firstMs: 1_000, longestMs: 300_000, jitter: 0.2 })

/** How an order goes on: the columns of its row. */
interface Next {
  readonly id: string
  readonly state: OrderState
  readonly attempts: number
  readonly waitMs: number | null
  readonly lastError: string | null
}

/** After a call that told nothing. What was certainly not sent is as it was, and no attempt. */
const afterFailure = (
  order: ClaimedOrder,
  { error, notSent }: Extract<CallOutcome, { error: string }>,
): Next => {
  const { id, attempts } = order
  const wait = retryMs(attempts)
  if (notSent)
    return {
      id,
      state: order.state,
      attempts,
      waitMs: Math.max(notSent.retryAfterMs, wait),
      lastError: error,
    }
  const state = order.state === 'waiting' ? 'sent' : order.state
  return { id, state, attempts: attempts + 1, waitMs: wait, lastError: error }
}

/** What has just been reserved is captured at once; what is held is asked about, where the system can be asked. */
const afterHolding = (order: ClaimedOrder, held: Held, connector: ChargingConnector): Next => {
  const state = held.isReserved ? 'reserved' : 'pending'
  const isNew = order.state !== state
  const attempts = isNew ? 0 : order.attempts + 1
  const canBeAsked = connector.inquire || (held.isReserved && connector.capture)
  const isCapturedNext = isNew && held.isReserved && connector.capture
  const waitMs = isCapturedNext ? 0 : canBeAsked ? pollMs(attempts) : null
  return { id: order.id, state, attempts, waitMs, lastError: null }
}

const writeNext = (tx: Statements, next: readonly Next[]) =>
  tx.$executeRaw`
    UPDATE charging."order" o SET state = n.state, attempts = n.attempts, last_error = n."lastError",
      submitted_at = CASE WHEN n.state = 'waiting' THEN NULL ELSE o.submitted_at END,
      next_attempt_at = statement_timestamp() + n."waitMs" * interval '1 ms', leased_until = NULL, leased_by = NULL
    FROM ${valuesTable(next, Prisma.sql`id uuid, state text, attempts int, "waitMs" float8, "lastError" text`)} n
    WHERE o.transaction_id = n.id`

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

/** What the calls told that holds, sorted by what it means. */
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

/** The status that says so, where the kind has one. */
const showHeld = async (
  tx: Statements,
  settlement: Settlement,
  held: readonly { order: ClaimedOrder; progress: Held }[],
) => {
  if (held.length === 0 || !settlement.heldAs) return
  const byId = new Map(held.map(({ order, progress }) => [order.id, progress]))
  const rows = await lockTransactions(tx, settlement.kind, [...byId.keys()])
  await noteProgress(
    tx,
    settlement,
    rows.map(row => ({ row, progress: byId.get(row.id)! })),
  )
}

/** Notes what these calls told, in the caller's transaction: all of it or nothing. */
export async function noteCalled(
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
  return concludeOrders(tx, app, settlement, results)
}
