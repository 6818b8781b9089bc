/**
 * Intervening: a transaction is cancelled before it is carried out, or taken back after, along its kind's transitions.
 * Its row is locked as the settler locks it, so that what is cancelled is never charged and what is charged never
 * cancelled; status, event, balance and who did it commit together.
 */

import type { ChargeResult, ChargingSystem, EmbeddedCharging } from '#core/charging/charging.ts'
import type { Reader, Statements } from '#core/data/db.ts'
import { invalidField, notFound, type ServiceError } from '#core/errors/catalogue.ts'
import { COLUMNS } from '../columns.ts'
import {
  mayFollow,
  type Outcome,
  orderOf,
  statusesOf,
  type TransactionKind,
  type TransactionRow,
  tableOf,
} from '../kind.ts'
import { writeEnds } from './finalize.ts'

const VERB = { CANCEL: 'cancelled', REVERSE: 'reversed' } as const
const REASON = { CANCEL: 'NOT_CANCELLABLE', REVERSE: 'NOT_REVERSIBLE' } as const

const refuse = (action: InterventionAction, why: string): ServiceError =>
  invalidField('id', REASON[action], `cannot be ${VERB[action]}: ${why}`)

const lockRow = async (tx: Statements, kind: TransactionKind, id: string) => {
  const [row] = await tx.$queryRaw<TransactionRow<never>[]>`
    SELECT ${COLUMNS} FROM ${tableOf(kind)} t WHERE t.id = ${id}::uuid FOR UPDATE`
  if (!row) throw notFound(`Transaction ${id}`)
  return row
}

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

/** What was not carried out yet needs nothing of the embedded system; what was is taken back by it. */
const carryOut = async (
  tx: Statements,
  charging: EmbeddedCharging,
  { kind, action }: { readonly kind: TransactionKind; readonly action: InterventionAction },
  row: TransactionRow<never>,
): Promise<ChargeResult> => {
  if (action === 'CANCEL') return { outcome: 'cancelled', reason: '' }
  if (!charging.reverse) return { outcome: 'declined', reason: 'The charging system takes nothing back' }
  return charging.reverse(tx, orderOf({ kind }, row))
}

/** Whether a result says that what was asked for was done. */
const isCarriedOut = ({ outcome }: ChargeResult, action: InterventionAction) =>
  outcome === (action === 'CANCEL' ? 'cancelled' : 'done')

/**
 * Writes what became of an intervention, where the caller holds the lock of the row: the status and its event where it
 * was carried out, else why it was not, and the transaction stays as it is.
 * @returns the row as it is then.
 */
export async function endIntervention(
  tx: Statements,
  kind: TransactionKind,
  asked: AskedIntervention,
  { row, result }: { readonly row: TransactionRow<never>; readonly result: ChargeResult },
): Promise<TransactionRow<never>> {
  if (!isCarriedOut(result, asked.action)) {
    const refusal = 'reason' in result ? result.reason : `The order is ${result.outcome}`
    await tx.$executeRaw`
      UPDATE events.intervention SET refusal = ${refusal}
      WHERE transaction_id = ${row.id}::uuid AND action = ${asked.action}`
    return row
  }
  const status = requireFollower(kind, row, asked.action)
  const reason = sentenceOf(asked)
  const at = await writeEnds(tx, kind, [{ row, status, reason, succeeded: false }])
  await keepIntervention(tx, kind, asked, at)
  return { ...row, status, reason, completedAt: row.completedAt ?? at }
}

/** What has become of the transaction by an intervention. */
export interface Intervened {
  readonly row: TransactionRow<never>
  /** Whether its status was changed now; otherwise it was so already, or an outside charging system is to be asked. */
  readonly isChanged: boolean
}

/**
 * Cancels or reverses a transaction, or notes that an outside charging system is to be asked to: that is called outside
 * of any transaction, by who settles the kind, and ends in `endIntervention`. Asked again, it changes nothing.
 * @throws ServiceError INVALID_ARGUMENT where that cannot be, with why; NOT_FOUND.
 */
export async function intervene(
  tx: Statements,
  charging: ChargingSystem,
  kind: TransactionKind,
  asked: AskedIntervention,
): Promise<Intervened> {
  const { action } = asked
  const row = await lockRow(tx, kind, asked.transactionId)
  if (row.status === targetOf(kind, action)) return { row, isChanged: false }
  requireFollower(kind, row, action)
  if (!charging.embedded) {
    await keepIntervention(tx, kind, asked, null)
    return { row, isChanged: false }
  }
  const result = await carryOut(tx, charging, { kind, action }, row)
  if (!isCarriedOut(result, action)) throw refuse(action, 'reason' in result ? result.reason : result.outcome)
  return { row: await endIntervention(tx, kind, asked, { row, result }), isChanged: true }
}

/** `CANCEL` ends what was not carried out yet, `REVERSE` takes back what was. */
export type InterventionAction = 'CANCEL' | 'REVERSE'

export interface InterventionRow {
  readonly transactionId: string
  readonly action: InterventionAction
  /** The portal's client. */
  readonly clientId: string
  readonly correlator: string
  readonly reason: string
  readonly requestedAt: Date
  /** Null while an outside charging system has not said that it was done. */
  readonly carriedOutAt: Date | null
  /** Why an outside charging system did not do it. */
  readonly refusal: string | null
}

/** As it is asked for. */
export type AskedIntervention = Pick<
  InterventionRow,
  'transactionId' | 'action' | 'clientId' | 'correlator' | 'reason'
>

const OUTCOME: Readonly<Record<InterventionAction, Outcome>> = { CANCEL: 'CANCELLED', REVERSE: 'REVERSED' }

/** The status that an intervention leads to; undefined where the kind has none for it. */
export const targetOf = (kind: TransactionKind, action: InterventionAction): string | undefined =>
  statusesOf(kind, [OUTCOME[action]])[0]

const WORDS = { CANCEL: 'Cancelled', REVERSE: 'Reversed' } as const

/** Why the transaction ended so, in one sentence, as its partner is told too. */
export const sentenceOf = ({ action, reason }: Pick<InterventionRow, 'action' | 'reason'>): string =>
  `${WORDS[action]} by the operator: ${reason}`

/**
 * Keeps it with its transaction; one that was refused before is asked for anew.
 * @param carriedOutAt when it was carried out; null where that is still to be.
 */
export const keepIntervention = (
  tx: Statements,
  kind: TransactionKind,
  asked: AskedIntervention,
  carriedOutAt: Date | null,
) => tx.$executeRaw`
  INSERT INTO events.intervention AS i (transaction_id, action, kind, client_id, correlator, reason, requested_at, carried_out_at)
  VALUES (${asked.transactionId}::uuid, ${asked.action}, ${kind.name}, ${asked.clientId}, ${asked.correlator},
    ${asked.reason}, coalesce(${carriedOutAt}::timestamptz, clock_timestamp()), ${carriedOutAt}::timestamptz)
  ON CONFLICT (transaction_id, action) DO UPDATE SET client_id = excluded.client_id, correlator = excluded.correlator,
    reason = excluded.reason, carried_out_at = excluded.carried_out_at, refusal = NULL, leased_until = NULL,
    requested_at = CASE WHEN i.refusal IS NULL THEN i.requested_at ELSE excluded.requested_at END
  WHERE i.refusal IS NOT NULL OR excluded.carried_out_at IS NOT NULL`

/** The interventions in each transaction, the oldest first, by one statement. */
export async function interventionsIn(
  db: Reader,
  transactionIds: readonly string[],
): Promise<InterventionRow[][]> {
  const rows = await db.$queryRaw<InterventionRow[]>`
    SELECT transaction_id AS "transactionId", action, client_id AS "clientId", correlator, reason,
      requested_at AS "requestedAt", carried_out_at AS "carriedOutAt", refusal
    FROM events.intervention WHERE transaction_id = ANY (${transactionIds}::uuid[]) ORDER BY requested_at, action`
  const found = Map.groupBy(rows, row => row.transactionId)
  return transactionIds.map(id => found.get(id) ?? [])
}
