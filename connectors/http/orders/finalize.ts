/**
 * The end of an order: its transaction's final status, its movement in the ledger, the event and the delivery commit
 * together with the order's own end.
 */

import { recordMovements } from '#core/charging/booking.ts'
import type { ChargeResult } from '#core/charging/charging.ts'
import type { App } from '#core/context/app.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { tracing } from '#core/observability/tracing.ts'
import { released } from '#core/queue/lease-queue.ts'
import { COLUMNS } from '#core/transactions/columns.ts'
import {
  mayFollow,
  orderOf,
  type Settlement,
  type TransactionKind,
  type TransactionRow,
  tableOf,
} from '#core/transactions/kind.ts'
import { finalize, type Settled, traceSettling } from '#core/transactions/settle/finalize.ts'
import { ORDERS } from './queue.ts'

/** The result of an order that the caller has locked and that has not ended yet. */
export interface OrderResult {
  readonly id: string
  readonly result: ChargeResult
}

/** Ids as a table, each once. */
export const givenIds = (ids: readonly string[]): Prisma.Sql =>
  valuesTable(
    [...new Set(ids)].map(id => ({ id })),
    Prisma.sql`id uuid`,
  )

/** The transactions of orders, locked. */
export const lockTransactions = (
  tx: Statements,
  kind: TransactionKind,
  ids: readonly string[],
) => tx.$queryRaw<TransactionRow<never>[]>`
  SELECT ${COLUMNS} FROM ${givenIds(ids)} g JOIN ${tableOf(kind)} t USING (id) ORDER BY t.position FOR UPDATE OF t`

/** Ends these orders, which the caller has locked. */
export const endOrders = (tx: Statements, results: readonly OrderResult[]) => {
  const rows = results.map(({ id, result }) => ({
    ...{ id, outcome: result.outcome },
    reason: 'reason' in result ? result.reason : null,
  }))
  return tx.$executeRaw`
    UPDATE charging."order" o SET state = 'concluded', outcome = r.outcome, reason = r.reason,
      concluded_at = statement_timestamp(), next_attempt_at = NULL, ${released(ORDERS)}
    FROM ${valuesTable(rows, Prisma.sql`id uuid, outcome text, reason text`)} r WHERE o.transaction_id = r.id`
}

/** A transaction that has a final status keeps it; an operator has to put right what the charging system says otherwise. */
const logConflict = ({ log }: App, { kind }: Settlement, row: TransactionRow, { outcome }: ChargeResult) =>
  log.error(
    { transactionId: row.id, kind: kind.name, status: row.status, outcome },
    'the charging system and the transaction disagree; to be put right by hand',
  )

/**
 * Writes the results of these orders, which the caller has locked. The movements of executed orders are written in any
 * case, whatever status the transaction has.
 */
export async function finalizeOrders(
  tx: Statements,
  app: App,
  settlement: Settlement,
  results: readonly OrderResult[],
): Promise<Settled[]> {
  if (results.length === 0) return []
  const { kind, statusFor } = settlement
  const byId = new Map(results.map(({ id, result }) => [id, result]))
  const rows = await lockTransactions(tx, kind, [...byId.keys()])
  const resultOf = (row: TransactionRow) => byId.get(row.id)!
  const executed = rows.filter(row => resultOf(row).outcome === 'done')
  const [open, ended] = [true, false].map(wanted =>
    rows.filter(row => mayFollow(kind, row.status, statusFor[resultOf(row).outcome]) === wanted),
  )
  for (const row of ended!) logConflict(app, settlement, row, resultOf(row))
  const settle = async () => {
    await recordMovements(
      tx,
      executed.map(row => orderOf(settlement, row)),
    )
    await endOrders(tx, results)
    return finalize(
      tx,
      settlement,
      open!.map(row => ({ row, result: resultOf(row) })),
    )
  }
  return tracing ? traceSettling(tracing, settlement, rows, settle) : settle()
}

/** Announces ends that are committed: to readers of the event log, and in metrics. */
export function announce({ eventsWritten, metrics }: App, { kind }: Settlement, settled: readonly Settled[]) {
  if (settled.length > 0) eventsWritten.emit()
  for (const { status } of settled) metrics.settled.inc({ kind: kind.name, status })
}

const MAX_BATCH = 200

interface KnownRow {
  readonly id: string
  readonly outcome: ChargeResult['outcome']
  readonly reason: string | null
}

/** Orders with a reported result, locked. */
const lockKnown = async (tx: Statements, kind: string, limit: number): Promise<OrderResult[]> => {
  const rows = await tx.$queryRaw<KnownRow[]>`
    SELECT o.transaction_id AS id, o.outcome, o.reason FROM charging."order" o
    WHERE o.kind = ${kind} AND o.state = 'known'
    ORDER BY o.transaction_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`
  return rows.map(({ id, outcome, reason }) => ({
    id,
    result:
      outcome === 'done' ? { outcome } : { outcome, reason: reason ?? 'The charging system gave no reason' },
  }))
}

const TOO_LATE: ChargeResult = {
  outcome: 'expired',
  reason: 'The expiry time had passed before it could be sent',
}

/** Orders that were not sent before their expiry time, locked. */
const lockExpired = async (tx: Statements, kind: string, limit: number): Promise<OrderResult[]> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT o.transaction_id AS id FROM charging."order" o
    WHERE o.kind = ${kind} AND o.state = 'waiting' AND o.expires_at IS NOT NULL
      AND o.expires_at <= statement_timestamp()
    ORDER BY o.expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`
  return rows.map(({ id }) => ({ id, result: TOO_LATE }))
}

/** A batch in one transaction: the settled transactions, and whether there may be more. */
export interface FinalizedBatch {
  readonly settled: readonly Settled[]
  readonly isFull: boolean
}

const NOTHING: FinalizedBatch = { settled: [], isFull: false }

/** Mostly there is nothing: that costs one statement, and no transaction. */
const finalizeBatch = async (
  app: App,
  settlement: Settlement,
  lock: typeof lockKnown,
): Promise<FinalizedBatch> => {
  const { name } = settlement.kind
  if ((await lock(app.db, name, 1)).length === 0) return NOTHING
  return app.db.$transaction(async tx => {
    const results = await lock(tx, name, MAX_BATCH)
    const settled = await finalizeOrders(tx, app, settlement, results)
    return { settled, isFull: results.length === MAX_BATCH }
  })
}

/** Finalizes a batch of orders with a reported result. */
export const finalizeReported = (app: App, settlement: Settlement): Promise<FinalizedBatch> =>
  finalizeBatch(app, settlement, lockKnown)

/** Finalizes a batch of orders that were never sent and must not be any more. */
export const finalizeExpired = (app: App, settlement: Settlement): Promise<FinalizedBatch> =>
  finalizeBatch(app, settlement, lockExpired)
