/**
 * What operators' portals want done to transactions that an outside charging system carries out: it is asked to cancel or
 * to take back, outside of any database transaction, until it says. Who asks holds a lease, which ends by itself; asking
 * again does no harm, since the order's id is the key.
 */

import type { ChargeProgress, ChargeResult, ChargingConnector } from '../charging/charging.ts'
import { noteReversal } from '../charging/note-movements.ts'
import type { App } from '../context/app.ts'
import type { PrismaClient, Transaction } from '../data/db.ts'
import type { Settled } from '../transactions/conclude.ts'
import { endIntervention } from '../transactions/intervene.ts'
import type { AskedIntervention } from '../transactions/intervention.ts'
import type { TransactionKind, TransactionRow } from '../transactions/kind.ts'
import { orderOf, type Settlement } from '../transactions/settlement.ts'
import { announce, concludeOrders, endOrders, lockTransactions } from './conclude.ts'

export interface InterventionParts {
  readonly app: App
  readonly settlement: Settlement
  readonly connector: ChargingConnector
  /** How long a call may take, in milliseconds. */
  readonly deadlineMs: number
  readonly stop: AbortSignal
}

const MAX_AT_ONCE = 20
/** Beyond the call: for what it told to be noted. Where it told nothing, it is asked again when the lease has ended. */
const LEASE_EXTENSION_MS = 5_000

/** Those that nobody asks for at the moment, the oldest first. */
const claim = (db: PrismaClient, { name }: TransactionKind, leaseMs: number) =>
  db.$queryRaw<AskedIntervention[]>`
    UPDATE events.intervention i SET leased_until = clock_timestamp() + ${leaseMs} * INTERVAL '1 millisecond'
    FROM (
      SELECT transaction_id, action FROM events.intervention
      WHERE kind = ${name} AND carried_out_at IS NULL AND refusal IS NULL
        AND (leased_until IS NULL OR leased_until < clock_timestamp())
      ORDER BY requested_at LIMIT ${MAX_AT_ONCE} FOR UPDATE SKIP LOCKED) wanted
    WHERE i.transaction_id = wanted.transaction_id AND i.action = wanted.action
    RETURNING i.transaction_id AS "transactionId", i.action, i.client_id AS "clientId", i.correlator, i.reason`

type OrderState = 'waiting' | 'sent' | 'pending' | 'reserved' | 'concluded'

/** The state of the order, which is absent of what the ledger settled or nobody has taken in yet. */
const lockOrder = async (tx: Transaction, id: string): Promise<OrderState | undefined> => {
  const [order] = await tx.$queryRaw<{ state: OrderState }[]>`
    SELECT state FROM charging."order" WHERE transaction_id = ${id}::uuid FOR UPDATE`
  return order?.state
}

/** What was never sent is known to nobody but us. */
const isUnsent = (state: OrderState | undefined) => state === undefined || state === 'waiting'

const CANCELLED: ChargeResult = { outcome: 'cancelled', reason: '' }

const cannot = (what: string): ChargeResult => ({
  outcome: 'declined',
  reason: `The charging system cannot ${what} an order`,
})

/** @throws what leaves it unknown whether it was done. */
const ask = (
  { connector, settlement, deadlineMs, stop }: InterventionParts,
  { action }: AskedIntervention,
  row: TransactionRow<never>,
): Promise<ChargeProgress> => {
  const order = orderOf(settlement, row)
  const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)])
  if (action === 'CANCEL') return connector.cancel?.(order, signal) ?? Promise.resolve(cannot('cancel'))
  return connector.reverse?.(order, signal) ?? Promise.resolve(cannot('take back'))
}

/** An order that had another end is concluded by that; one that was cancelled ends with its transaction. */
const endCancelled = async (
  tx: Transaction,
  { app, settlement }: InterventionParts,
  { id }: TransactionRow<never>,
  result: ChargeResult,
): Promise<Settled[]> => {
  if ((await lockOrder(tx, id)) === 'concluded') return []
  if (result.outcome === 'done') return concludeOrders(tx, app, settlement, [{ id, result }])
  if (result.outcome === 'cancelled') await endOrders(tx, [{ id, result }])
  return []
}

/** Writes what became of it, unless that was written meanwhile. */
const note = async (
  tx: Transaction,
  parts: InterventionParts,
  asked: AskedIntervention,
  result: ChargeResult,
): Promise<Settled[]> => {
  const { kind } = parts.settlement
  const id = asked.transactionId
  await lockOrder(tx, id)
  const [row] = await lockTransactions(tx, kind, [id])
  if (!row) return []
  const settled = asked.action === 'CANCEL' ? await endCancelled(tx, parts, row, result) : []
  if (asked.action === 'REVERSE' && result.outcome === 'done')
    await noteReversal(tx, orderOf(parts.settlement, row))
  const ended = await endIntervention(tx, kind, asked, { row, result })
  if (ended.status === row.status) return settled
  return [{ row: ended, status: ended.status, reason: ended.reason ?? '', succeeded: false }]
}

/** What waits to be sent is cancelled where it waits: nobody takes it while its row is locked. */
const cancelUnsent = (parts: InterventionParts, asked: AskedIntervention) =>
  parts.app.db.$transaction(async tx => {
    if (asked.action !== 'CANCEL' || !isUnsent(await lockOrder(tx, asked.transactionId))) return undefined
    return note(tx, parts, asked, CANCELLED)
  })

const askAndNote = async (parts: InterventionParts, asked: AskedIntervention): Promise<Settled[]> => {
  const { db } = parts.app
  const fault = parts.connector.unavailable()
  if (fault !== undefined) throw new Error(fault)
  const [row] = await db.$transaction(tx =>
    lockTransactions(tx, parts.settlement.kind, [asked.transactionId]),
  )
  const progress = row ? await ask(parts, asked, row) : CANCELLED
  if (progress.outcome === 'pending') return []
  return db.$transaction(tx => note(tx, parts, asked, progress))
}

const carryOut = async (parts: InterventionParts, asked: AskedIntervention): Promise<void> => {
  const { app, settlement } = parts
  try {
    announce(app, settlement, (await cancelUnsent(parts, asked)) ?? (await askAndNote(parts, asked)))
  } catch (error) {
    const { transactionId, action } = asked
    app.log.warn(
      { err: error, transactionId, action },
      'what a portal wants done to a transaction is not known to be done; asked for again when its lease ends',
    )
  }
}

/** Has everything done that is wanted at the moment, as far as the system says. */
export async function carryOutInterventions(parts: InterventionParts): Promise<void> {
  const leaseMs = parts.deadlineMs + LEASE_EXTENSION_MS
  const wanted = await claim(parts.app.db, parts.settlement.kind, leaseMs)
  await Promise.all(wanted.map(asked => carryOut(parts, asked)))
}
