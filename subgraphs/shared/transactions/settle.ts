/**
 * Settling: what create left in its initial status is put to the charging system and given its final status.
 * The row itself is the queue; movement, status and event commit together, so a killed process leaves either
 * all of them or none, and the next settler takes the row again.
 */

import type { ChargeOrder, ChargeResult } from '../charging/charging.ts'
import type { App } from '../context/app.ts'
import type { Prisma, Transaction } from '../data/db.ts'
import { sqlWord } from '../data/sql-word.ts'
import { originOf } from '../egress/callback-policy.ts'
import { appendEvents, type NewEvent } from '../events/append.ts'
import { toDecimal } from '../values/decimal.ts'
import { newId } from '../values/id.ts'
import { COLUMNS } from './columns.ts'
import { mayFollow, type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

/** What a service adds to settling: until when it may be done, and the status each result means. */
export interface Settlement<Body = never> {
  readonly kind: TransactionKind
  /** After this time it must not be carried out any more; absent where it may be at any time. */
  expiresAt?(row: TransactionRow<Body>): Date
  /** The final status for what became of the order. */
  readonly statusFor: Readonly<Record<ChargeResult['outcome'], string>>
  /** One sentence for whom it may concern when the order was carried out. */
  readonly done: string
}

interface Settled {
  readonly row: TransactionRow
  readonly status: string
  readonly reason: string
  readonly succeeded: boolean
}

/** Rows that another settler is working on are passed over. */
const claim = (tx: Transaction, kind: TransactionKind, { which, limit }: Turn) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.status = ${sqlWord(kind.initial)} AND ${which}
    ORDER BY t.position LIMIT ${limit} FOR UPDATE SKIP LOCKED`

const exact = (number: Prisma.Decimal | null) => (number === null ? undefined : toDecimal(String(number)))

/** What is asked of the charging system: all that the row says of whom and how much. */
const orderOf = ({ kind, expiresAt }: Settlement, row: TransactionRow<never>): ChargeOrder => ({
  transactionId: row.id,
  ...kind.charge,
  accountNumber: row.accountNumber ?? undefined,
  mobileNumber: row.mobileNumber ?? undefined,
  currency: row.currency ?? undefined,
  amount: exact(row.amount),
  points: exact(row.points),
  expiresAt: expiresAt?.(row),
})

const conclude = (
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

const writeStatuses = (tx: Transaction, kind: TransactionKind, settled: Settled[], now: Date) => {
  const rows = settled.map(({ row, status, reason }) => ({ id: row.id, status, reason }))
  return tx.$executeRaw`
    UPDATE ${tableOf(kind)} t SET status = s.status, reason = s.reason, completed_at = ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS s (id uuid, status text, reason text)
    WHERE t.id = s.id`
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

const databaseClock = async (tx: Transaction): Promise<Date> => {
  const [clock] = await tx.$queryRaw<
    { now: Date }[]
  >`SELECT date_trunc('milliseconds', clock_timestamp()) AS now`
  return clock!.now
}

/** Which rows a transaction takes, and which it took; another process may be settling others at the same time. */
export interface Turn {
  readonly which: Prisma.Sql
  readonly limit: number
  claimed: TransactionRow[]
}

const settleClaimed = async (tx: Transaction, app: App, settlement: Settlement, turn: Turn) => {
  const rows = await claim(tx, settlement.kind, turn)
  turn.claimed = rows
  if (rows.length === 0) return []
  const results = await app.charging.post(
    tx,
    rows.map(row => orderOf(settlement, row)),
  )
  const settled = rows.map((row, index) => conclude(settlement, row, results[index]!))
  const now = await databaseClock(tx)
  await writeStatuses(tx, settlement.kind, settled, now)
  await appendEvents(
    tx,
    settled.map(one => toEvent(settlement.kind, one, now)),
  )
  return settled
}

/** Settles what the turn takes in one transaction: all of it or, where it throws, nothing. */
export const settleTurn = async (app: App, settlement: Settlement, turn: Turn): Promise<void> => {
  const settled = await app.db.$transaction(tx => settleClaimed(tx, app, settlement, turn))
  if (settled.length > 0) app.eventsWritten.emit()
  for (const { status } of settled) app.metrics.settled.inc({ kind: settlement.kind.name, status })
}
