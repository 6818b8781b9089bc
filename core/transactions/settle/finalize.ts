/**
 * Concluding: what became of an order becomes the status of its transaction, with the event that says so and the
 * delivery of its webhook, all in the caller's database transaction.
 */

import type { ChargeProgress, ChargeResult } from '#core/charging/charging.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { valuesTable } from '#core/data/sql.ts'
import { originOf } from '#core/egress/callback-policy.ts'
import { lockEventLog, type NewEvent, writeEvents } from '#core/events/append.ts'
import { newId } from '#core/values/id.ts'
import { mayFollow, type Settlement, type TransactionKind, type TransactionRow, tableOf } from '../kind.ts'

/** A transaction that has come to its end. */
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

/** One that was carried out keeps the time of that when it is taken back. */
const writeStatuses = (tx: Statements, kind: TransactionKind, settled: readonly Settled[], now: Date) => {
  const rows = settled.map(({ row, status, reason }) => ({ id: row.id, status, reason }))
  return tx.$executeRaw`
    UPDATE ${tableOf(kind)} t SET status = s.status, reason = s.reason,
      completed_at = coalesce(t.completed_at, ${now}::timestamptz)
    FROM ${valuesTable(rows, Prisma.sql`id uuid, status text, reason text`)} s WHERE t.id = s.id`
}

/** The address was checked when the transaction was posted. */
const webhookOf = (
  { callsWebhook }: TransactionKind,
  { webhookUrl: url, webhookToken: token }: TransactionRow,
) => (callsWebhook && url !== null ? { deliveryId: newId(), url, origin: originOf(url), token } : undefined)

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
  webhook: webhookOf(kind, row),
})

/** Writes that these transactions have come to their ends, of which the caller holds the locks; returns when. */
export async function writeEnds(
  tx: Statements,
  kind: TransactionKind,
  settled: readonly Settled[],
): Promise<Date> {
  const log = await lockEventLog(tx)
  await Promise.all([
    writeStatuses(tx, kind, settled, log.now),
    writeEvents(
      tx,
      log,
      settled.map(one => toEvent(kind, one, log.now)),
    ),
  ])
  return log.now
}

/** A transaction, locked by the caller, and what became of its order. */
export interface Concluded {
  readonly row: TransactionRow
  readonly result: ChargeResult
}

/**
 * Writes what became of these transactions, of which the caller holds the locks.
 * @throws Error for a status that may not follow the present one: nothing of the transaction may be committed then.
 */
export async function conclude(
  tx: Statements,
  settlement: Settlement,
  concluded: readonly Concluded[],
): Promise<Settled[]> {
  const settled = concluded.map(({ row, result }) => toSettled(settlement, row, result))
  if (settled.length > 0) await writeEnds(tx, settlement.kind, settled)
  return settled
}

/** A transaction, locked by the caller, and how its order is held. */
export interface Progressed {
  readonly row: TransactionRow
  readonly progress: Extract<ChargeProgress, { readonly outcome: 'pending' }>
}

/** A kind without a word for it stays as it is, and so does what has gone further already (reserved, or concluded). */
const toChange = ({ kind, heldAs }: Settlement, { row, progress }: Progressed) => {
  const status = heldAs?.[progress.isReserved ? 'reserved' : 'pending']
  return status !== undefined && mayFollow(kind, row.status, status) ? [{ id: row.id, status }] : []
}

/**
 * Notes that the orders of these transactions are held, of which the caller holds the locks.
 * @returns how many changed their status; the others say so already, or have no word for it.
 */
export async function noteProgress(
  tx: Statements,
  settlement: Settlement,
  progressed: readonly Progressed[],
): Promise<number> {
  const changes = progressed.flatMap(one => toChange(settlement, one))
  if (changes.length === 0) return 0
  return tx.$executeRaw`
    UPDATE ${tableOf(settlement.kind)} t SET status = s.status
    FROM ${valuesTable(changes, Prisma.sql`id uuid, status text`)} s WHERE t.id = s.id`
}
