/**
 * Interventions of an operator's portal: a transaction is cancelled before it is carried out, or reversed after, along its
 * kind's transitions. Its row is locked as the settler locks it, so that what is cancelled is never charged and what is
 * charged never cancelled; status, event, balance and the record of the intervention commit together.
 */

import type { ChargeResult, ChargingSystem } from '#core/charging/charging.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { invalidField, notFound, type ServiceError } from '#core/errors/catalogue.ts'
import { COLUMNS } from '../columns.ts'
import {
  mayFollow,
  orderOf,
  statusesOf,
  type TransactionKind,
  type TransactionRow,
  tableOf,
} from '../kind.ts'
import { writeFinalStatuses } from './finalize.ts'

/** `CANCEL` ends what was not carried out yet, `REVERSE` takes back what was. */
export type InterventionAction = 'CANCEL' | 'REVERSE'

/** An intervention as it is recorded. */
export interface InterventionRow {
  readonly transactionId: string
  readonly action: InterventionAction
  /** The portal's client. */
  readonly clientId: string
  readonly correlator: string
  readonly reason: string
  readonly requestedAt: Date
  /** Null while an outside charging system has not confirmed it. */
  readonly carriedOutAt: Date | null
  /** The reason of an outside charging system that did not do it. */
  readonly refusal: string | null
}

export type InterventionRequest = Pick<
  InterventionRow,
  'transactionId' | 'action' | 'clientId' | 'correlator' | 'reason'
>

const ACTIONS = {
  CANCEL: { outcome: 'CANCELLED', verb: 'cancelled', refusal: 'NOT_CANCELLABLE', expected: 'cancelled' },
  REVERSE: { outcome: 'REVERSED', verb: 'reversed', refusal: 'NOT_REVERSIBLE', expected: 'done' },
} as const

/** The status that an intervention leads to; undefined where the kind has none for it. */
export const targetOf = (kind: TransactionKind, action: InterventionAction): string | undefined =>
  statusesOf(kind, [ACTIONS[action].outcome])[0]

const refuse = (action: InterventionAction, why: string): ServiceError =>
  invalidField('id', ACTIONS[action].refusal, `cannot be ${ACTIONS[action].verb}: ${why}`)

/** @throws ServiceError INVALID_ARGUMENT where the kind's transitions have no such status, or not from the present one. */
const requireFollower = (
  kind: TransactionKind,
  { status }: TransactionRow,
  action: InterventionAction,
): string => {
  const target = targetOf(kind, action)
  if (target === undefined) throw refuse(action, `no ${kind.typename.toLowerCase()} can be`)
  if (!mayFollow(kind, status, target))
    throw refuse(action, `it is ${status}, and ${target} cannot follow that`)
  return target
}

/**
 * Records an intervention with its transaction; one that was refused before is requested anew.
 * @param carriedOutAt the time it was carried out; null where an outside charging system is still to do it.
 */
export const recordIntervention = (
  tx: Statements,
  kind: TransactionKind,
  request: InterventionRequest,
  carriedOutAt: Date | null,
) => {
  const requestedAt = carriedOutAt
    ? Prisma.sql`${carriedOutAt}::timestamptz`
    : Prisma.sql`statement_timestamp()`
  return tx.$executeRaw`
  INSERT INTO events.intervention AS i (transaction_id, action, kind, client_id, correlator, reason, requested_at, carried_out_at)
  VALUES (${request.transactionId}::uuid, ${request.action}, ${kind.name}, ${request.clientId}, ${request.correlator},
    ${request.reason}, ${requestedAt}, ${carriedOutAt}::timestamptz)
  ON CONFLICT (transaction_id, action) DO UPDATE SET client_id = excluded.client_id, correlator = excluded.correlator,
    reason = excluded.reason, carried_out_at = excluded.carried_out_at, refusal = NULL, leased_until = NULL,
    requested_at = CASE WHEN i.refusal IS NULL THEN i.requested_at ELSE excluded.requested_at END
  WHERE i.refusal IS NOT NULL OR excluded.carried_out_at IS NOT NULL`
}

/**
 * Writes the result of an intervention, where the caller holds the lock of the row: the status and its event where it was
 * carried out; else the reason why not, and the transaction stays as it is.
 * @returns the row as it is then.
 */
export async function finalizeIntervention(
  tx: Statements,
  kind: TransactionKind,
  request: InterventionRequest,
  { row, result }: { readonly row: TransactionRow<never>; readonly result: ChargeResult },
): Promise<TransactionRow<never>> {
  const { action } = request
  const { expected, verb } = ACTIONS[action]
  if (result.outcome !== expected) {
    const refusal = 'reason' in result ? result.reason : `The order is ${result.outcome}`
    await tx.$executeRaw`
      UPDATE events.intervention SET refusal = ${refusal}
      WHERE transaction_id = ${row.id}::uuid AND action = ${action}`
    return row
  }
  const status = requireFollower(kind, row, action)
  // The sentence that the partner reads too.
  const reason = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} by the operator: ${request.reason}`
  const at = await writeFinalStatuses(tx, kind, [{ row, status, reason, succeeded: false }])
  await recordIntervention(tx, kind, request, at)
  return { ...row, status, reason, completedAt: row.completedAt ?? at }
}

/** A transaction after an intervention. */
export interface Intervened {
  readonly row: TransactionRow<never>
  /** Whether its status was changed now; else it was so already, or an outside charging system is still to do it. */
  readonly isChanged: boolean
}

/**
 * Cancels or reverses a transaction, or records that an outside charging system has to: that is called by the settler of
 * the kind, outside of any transaction, and ends in `finalizeIntervention`. Requested again, it changes nothing.
 * @throws ServiceError INVALID_ARGUMENT with the reason where that cannot be; NOT_FOUND.
 */
export async function intervene(
  tx: Statements,
  charging: ChargingSystem,
  kind: TransactionKind,
  request: InterventionRequest,
): Promise<Intervened> {
  const { action, transactionId } = request
  const [row] = await tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t WHERE t.id = ${transactionId}::uuid FOR UPDATE`
  if (!row) throw notFound(`Transaction ${transactionId}`)
  if (row.status === targetOf(kind, action)) return { row, isChanged: false }
  requireFollower(kind, row, action)
  if (!charging.embedded) {
    await recordIntervention(tx, kind, request, null)
    return { row, isChanged: false }
  }
  // The embedded system takes back what was carried out; a transaction that still waits is none of its business.
  const result: ChargeResult =
    action === 'CANCEL'
      ? { outcome: 'cancelled', reason: '' }
      : ((await charging.reverse?.(tx, orderOf({ kind }, row))) ?? {
          outcome: 'declined',
          reason: 'The charging system takes nothing back',
        })
  if (result.outcome !== ACTIONS[action].expected)
    throw refuse(action, 'reason' in result ? result.reason : result.outcome)
  return { row: await finalizeIntervention(tx, kind, request, { row, result }), isChanged: true }
}

/** The interventions in each transaction, the oldest first, by one statement. */
export async function interventionsIn(
  db: Statements,
  transactionIds: readonly string[],
): Promise<InterventionRow[][]> {
  const rows = await db.$queryRaw<InterventionRow[]>`
    SELECT transaction_id AS "transactionId", action, client_id AS "clientId", correlator, reason,
      requested_at AS "requestedAt", carried_out_at AS "carriedOutAt", refusal
    FROM events.intervention WHERE transaction_id = ANY (${transactionIds}::uuid[]) ORDER BY requested_at, action`
  const found = Map.groupBy(rows, row => row.transactionId)
  return transactionIds.map(id => found.get(id) ?? [])
}
