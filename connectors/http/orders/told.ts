/**
 * What the charging system tells by itself: it is noted on the order's row, by whichever process is told, and concluded
 * by one that settles its kind. And what is concluded without having been sent: orders whose time is over.
 */
import type { ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import type { PrismaClient, Statements } from '#core/data/db.ts'
import type { Settlement } from '#core/transactions/kind.ts'
import type { Settled } from '#core/transactions/settle/finalize.ts'
import { concludeOrders, type OrderResult } from './conclude.ts'

/** `noted`; or told before, the same or something else; or no order that was ever sent. */
export type Told = 'noted' | 'repeated' | 'contradicted' | 'unknown'

const noteResult = (db: PrismaClient, id: string, outcome: string, reason: string | null) => db.$executeRaw`
  UPDATE charging."order" SET state = 'known', outcome = ${outcome}, reason = ${reason},
    next_attempt_at = NULL, leased_until = NULL, leased_by = NULL
  WHERE transaction_id = ${id}::uuid AND state IN ('sent', 'pending', 'reserved')`

/**
 * Where the system can be asked, it is asked at once how the order is held now. The state is compared as an expression,
 * so that the row is found by its id, and not by the index of all that is held.
 */
const askSoon = (db: PrismaClient, id: string) => db.$executeRaw`
  UPDATE charging."order" SET next_attempt_at = statement_timestamp()
  WHERE transaction_id = ${id}::uuid AND state || '' IN ('pending', 'reserved') AND next_attempt_at IS NOT NULL`

const compare = async (db: PrismaClient, id: string, outcome: string): Promise<Told> => {
  const [order] = await db.$queryRaw<{ state: string; outcome: string | null }[]>`
    SELECT state, outcome FROM charging."order" WHERE transaction_id = ${id}::uuid`
  if (!order || order.state === 'waiting') return 'unknown'
  return outcome === 'pending' || order.outcome === outcome ? 'repeated' : 'contradicted'
}

/** Notes what was told of an order; when this resolves, it is committed. */
export async function noteTold(db: PrismaClient, id: string, progress: ChargeProgress): Promise<Told> {
  const { outcome } = progress
  const reason = 'reason' in progress ? (progress.reason ?? null) : null
  const noted =
    outcome === 'pending'
      ? await askSoon(db, id)
      : await noteResult(db, id, outcome, reason?.slice(0, 1_024) ?? null)
  return noted > 0 ? 'noted' : compare(db, id, outcome)
}

const MAX_BATCH = 200

interface KnownRow {
  readonly id: string
  readonly outcome: ChargeResult['outcome']
  readonly reason: string | null
}

const toResult = ({ id, outcome, reason }: KnownRow): OrderResult => ({
  id,
  result:
    outcome === 'done' ? { outcome } : { outcome, reason: reason ?? 'The charging system gave no reason' },
})

const lockKnown = async (tx: Statements, kind: string, limit: number) =>
  (
    await tx.$queryRaw<KnownRow[]>`
      SELECT o.transaction_id AS id, o.outcome, o.reason FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state = 'known'
      ORDER BY o.transaction_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`
  ).map(toResult)

const TOO_LATE: ChargeResult = {
  outcome: 'expired',
  reason: 'The expiry time had passed before it could be sent',
}

const lockExpired = async (tx: Statements, kind: string, limit: number): Promise<OrderResult[]> =>
  (
    await tx.$queryRaw<{ id: string }[]>`
      SELECT o.transaction_id AS id FROM charging."order" o
      WHERE o.kind = ${kind} AND o.state = 'waiting' AND o.expires_at IS NOT NULL
        AND o.expires_at <= statement_timestamp()
      ORDER BY o.expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
  ).map(({ id }) => ({ id, result: TOO_LATE }))

/** A batch in one transaction; what was settled, and whether there may be more. */
export interface Step {
  readonly settled: readonly Settled[]
  readonly isFull: boolean
}

type Lock = typeof lockKnown

const NOTHING: Step = { settled: [], isFull: false }

/** Mostly there is nothing: that costs one statement, and no transaction. */
const concludeBy = async (app: App, settlement: Settlement, lock: Lock, limit: number): Promise<Step> => {
  const { name } = settlement.kind
  if ((await lock(app.db, name, 1)).length === 0) return NOTHING
  return app.writer.transaction(async tx => {
    const results = await lock(tx, name, limit)
    const settled = await concludeOrders(tx, app, settlement, results)
    return { settled, isFull: results.length === limit }
  })
}

/** Concludes a batch of what was told. */
export const concludeTold = (app: App, settlement: Settlement): Promise<Step> =>
  concludeBy(app, settlement, lockKnown, MAX_BATCH)

/** Concludes a batch of what was never sent and must not be any more. */
export const concludeExpired = (app: App, settlement: Settlement): Promise<Step> =>
  concludeBy(app, settlement, lockExpired, MAX_BATCH)
