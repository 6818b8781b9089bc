/**
 * Finalizing: the result of an order becomes the final status of its transaction, with its event and the delivery of its
 * webhook, all in the caller's database transaction. While an order is held, its transaction has a status that is not
 * final, without an event.
 */

import type { ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { originOf } from '#core/egress/callback-policy.ts'
import { type FirstLeases, lockEventLog, type NewEvent, writeEvents } from '#core/events/append.ts'
import { type TraceSpan, type Tracing, tracing } from '#core/observability/tracing.ts'
import { newId } from '#core/values/id.ts'
import { mayFollow, type Settlement, type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'

/** A transaction with its final status. */
export interface Settled {
  readonly row: TransactionRow
  readonly status: string
  readonly reason: string
  readonly succeeded: boolean
}

const toSettled = (
  { kind, statusFor, done }: Settlement,
  row: TransactionRow,
  result: ChargeResult,
): Settled => {
  const status = statusFor[result.outcome]
  if (!mayFollow(kind, row.status, status))
    throw new Error(`${kind.typename} ${row.status} may not become ${status}`)
  const succeeded = result.outcome === 'done'
  return { row, status, succeeded, reason: succeeded ? done : result.reason }
}

/** Writes the statuses; a transaction that was carried out keeps the time of that when it is reversed. */
const writeStatuses = (tx: Statements, kind: TransactionKind, settled: readonly Settled[], now: Date) => {
  const rows = settled.map(({ row, status, reason }) => ({ id: row.id, status, reason }))
  return tx.$executeRaw`
    UPDATE ${tableOf(kind)} t SET status = s.status, reason = s.reason,
      completed_at = coalesce(t.completed_at, ${now}::timestamptz)
    FROM ${valuesTable(rows, Prisma.sql`id uuid, status text, reason text`)} s WHERE t.id = s.id`
}

/** The address was checked when the transaction was posted, or when it was registered. */
const webhookOf = (
  { callsWebhook }: TransactionKind,
  { webhookUrl: url, webhookToken: token }: TransactionRow,
) =>
  callsWebhook ? { deliveryId: newId(), url, origin: url === null ? null : originOf(url), token } : undefined

const toEvent = (
  kind: TransactionKind,
  { row, status, reason, succeeded }: Settled,
  now: Date,
): NewEvent => ({
  eventid: newId(),
  kind: kind.name,
  eventType: succeeded ? 'PAYMENT_COMPLETED' : 'PAYMENT_FAILED',
  eventTime: now,
  transactionId: row.id,
  operationStatus: status,
  status: succeeded ? 'succeeded' : 'failed',
  description: reason,
  clientCorrelatorId: row.clientCorrelatorId,
  paymentDate: succeeded ? now : null,
  clientId: row.clientId,
  accountNumber: row.accountNumber,
  mobileNumber: row.mobileNumber,
  trace: row.trace,
  webhook: webhookOf(kind, row),
})

/** Runs the settling of transactions with a span in the trace of each one's request, which is linked to it. */
export const traceSettling = <T>(
  traces: Tracing,
  { kind }: Settlement,
  rows: readonly TransactionRow<never>[],
  settle: () => Promise<T>,
): Promise<T> => {
  const shares = rows.map(({ id, trace: origin }) => ({
    origin,
    attributes: { 'partner_graph.transaction.kind': kind.name, 'partner_graph.transaction.id': id },
  }))
  return traces.together(`settle ${kind.name}`, shares, settle)
}

/** Begins the span of the events that are created for these transactions, linked to their requests. */
const beginEventSpan = (traces: Tracing, settled: readonly Settled[]): TraceSpan | undefined => {
  const span = traces.part('create event', {
    kind: 'producer',
    attributes: {
      'messaging.system': 'partner_graph',
      'messaging.destination.name': 'events.event',
      'messaging.operation.name': 'create',
      'messaging.operation.type': 'create',
      'messaging.batch.message_count': settled.length > 1 ? settled.length : undefined,
    },
  })
  for (const { row } of settled) if (row.trace !== null) span?.link(row.trace)
  return span
}

/**
 * Writes final statuses and their events, where the caller holds the locks of the rows; returns the time of them.
 * @param leases where each is the first event of its transaction.
 */
export async function writeFinalStatuses(
  tx: Statements,
  kind: TransactionKind,
  settled: readonly Settled[],
  leases?: FirstLeases,
): Promise<Date> {
  const log = await lockEventLog(tx)
  const events = settled.map(one => toEvent(kind, one, log.now))
  const append = () => writeEvents(tx, log, events, leases)
  await Promise.all([
    writeStatuses(tx, kind, settled, log.now),
    tracing ? tracing.run(beginEventSpan(tracing, settled), append) : append(),
  ])
  return log.now
}

/** A transaction, locked by the caller, and the result of its order. */
interface Finished {
  readonly row: TransactionRow
  readonly result: ChargeResult
}

/**
 * Writes the results of orders as final statuses, where the caller holds the locks of the rows.
 * @param leases of the webhooks that this process sends at once.
 * @throws Error for a status that may not follow the present one: nothing of the transaction may be committed then.
 */
export async function finalize(
  tx: Statements,
  settlement: Settlement,
  finished: readonly Finished[],
  leases?: FirstLeases,
): Promise<Settled[]> {
  const settled = finished.map(({ row, result }) => toSettled(settlement, row, result))
  if (settled.length > 0) await writeFinalStatuses(tx, settlement.kind, settled, leases)
  return settled
}

/** A transaction, locked by the caller, whose order the charging system holds. */
interface Held {
  readonly row: TransactionRow
  readonly progress: Extract<ChargeProgress, { readonly outcome: 'pending' }>
}

/**
 * Records that the orders of these transactions are held, where the caller holds the locks of the rows. A kind without a
 * status for it stays as it is, and so does a row that has gone further already (reserved, or final).
 * @returns how many changed their status.
 */
export async function recordProgress(
  tx: Statements,
  { kind, heldAs }: Settlement,
  held: readonly Held[],
): Promise<number> {
  const changes = held.flatMap(({ row, progress }) => {
    const status = heldAs?.[progress.isReserved ? 'reserved' : 'pending']
    return status !== undefined && mayFollow(kind, row.status, status) ? [{ id: row.id, status }] : []
  })
  if (changes.length === 0) return 0
  return tx.$executeRaw`
    UPDATE ${tableOf(kind)} t SET status = s.status
    FROM ${valuesTable(changes, Prisma.sql`id uuid, status text`)} s WHERE t.id = s.id`
}
