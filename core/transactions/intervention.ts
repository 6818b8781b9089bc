/** What an operator's portal did to a transaction, or wants done by an outside charging system: who, when and why. */

import type { Reader, Statements } from '../data/db.ts'
import { type Outcome, statusesOf, type TransactionKind } from './kind.ts'

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
