/**
 * Settling: what create left in its initial status is put to the charging system and given its final status.
 * The row itself is the queue; movement, status and event commit together, so a killed process leaves either
 * all of them or none, and the next settler takes the row again.
 */
import type { App } from '../app.ts'
import type { ChargeOrder, ChargeResult } from '../charging/charging.ts'
import type { Transaction } from '../data/db.ts'
import { appendEvents, type NewEvent } from '../data/events.ts'
import { sqlWord } from '../data/sql-word.ts'
import { originOf } from '../delivery/address.ts'
import { newId } from '../values/id.ts'
import { COLUMNS, mayFollow, type TransactionKind, type TransactionRow, tableOf } from './kind.ts'

/** What a service adds to settling: the order it places, and the status each result means. */
export interface Settlement<Body = never> {
  readonly kind: TransactionKind
  order(row: TransactionRow<Body>): ChargeOrder
  /** The final status for what became of the order. */
  readonly statusFor: Readonly<Record<ChargeResult['outcome'], string>>
  /** One sentence for whom it may concern when the order was carried out. */
  readonly done: string
}

const MAX_BATCH = 200

interface Settled {
  readonly row: TransactionRow
  readonly status: string
  readonly reason: string
  readonly succeeded: boolean
}

/** Rows that another settler is working on are passed over, as are those set aside after a failure. */
const claim = (tx: Transaction, kind: TransactionKind, limit: number, aside: string[]) =>
  tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t
    WHERE t.status = ${sqlWord(kind.initial)} AND t.id <> ALL (${aside}::uuid[])
    ORDER BY t.position LIMIT ${limit} FOR UPDATE SKIP LOCKED`

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
  kind: kind.kind,
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

/** What a round of settling leaves for the next, and what it takes at a time. */
interface Round {
  readonly aside: string[]
  limit: number
  /** What the transaction under way took; another process may be settling others at the same time. */
  claimed: TransactionRow[]
}

/** Settles up to `limit` rows in one transaction; whether there may be more. */
const settleBatch = async (app: App, settlement: Settlement, round: Round): Promise<boolean> => {
  round.claimed = []
  const settled = await app.db.$transaction(async tx => {
    const rows = await claim(tx, settlement.kind, round.limit, round.aside)
    round.claimed = rows
    if (rows.length === 0) return []
    const results = await app.charging.post(tx, rows.map(settlement.order))
    const settled = rows.map((row, index) => conclude(settlement, row, results[index]!))
    const now = await databaseClock(tx)
    await writeStatuses(tx, settlement.kind, settled, now)
    await appendEvents(
      tx,
      settled.map(one => toEvent(settlement.kind, one, now)),
    )
    return settled
  })
  if (settled.length > 0) app.eventsWritten.emit()
  for (const { status } of settled) app.metrics.settled.inc({ kind: settlement.kind.kind, status })
  return settled.length === round.limit
}

/** Settles everything that waits. */
export async function settleAll(app: App, settlement: Settlement): Promise<void> {
  const round: Round = { aside: [], limit: MAX_BATCH, claimed: [] }
  for (;;) {
    try {
      if (!(await settleBatch(app, settlement, round))) return
    } catch (error) {
      if (round.limit === 1) setAside(app, settlement, round, error)
      round.limit = 1
    }
  }
}

/** One row that cannot be settled must not hold up the others: it is left for the next round. */
const setAside = (app: App, { kind }: Settlement, { aside, claimed: [row] }: Round, error: unknown) => {
  if (!row) throw error
  app.log.error(
    { err: error, transactionId: row.id, kind: kind.kind },
    'could not be settled; tried again later',
  )
  aside.push(row.id)
}
