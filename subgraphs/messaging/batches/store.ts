/**
 * Batches of SMS, kept from the posting of their first message. Their messages are those of the same client whose
 * correlator is the batch's with `-<n>` appended; progress is counted from them.
 */

import type { Caller } from '#core/access/principal.ts'
import { visibleRows } from '#core/access/visibility.ts'
import type { Platform } from '#core/context/app.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import type { Statements } from '#core/data/db.ts'
import { notFound } from '#core/errors/catalogue.ts'
import type { EventRow } from '#core/events/event.ts'
import { statusesOf } from '#core/transactions/kind.ts'
import { isId, newId } from '#core/values/id.ts'
import { MESSAGE } from '../kind.ts'

/** A batch with its progress so far. */
export interface BatchRow {
  readonly id: string
  readonly clientId: string
  readonly clientCorrelatorId: string
  readonly recipients: number
  /** Number of refused recipients; null while messages are being posted. */
  readonly refused: number | null
  readonly createdAt: Date
  /** Number of messages, and how many of them were sent or have failed. */
  readonly accepted: number
  readonly sent: number
  readonly failed: number
}

/** Event of one of a batch's messages. */
export type BatchProgress = EventRow & { readonly batchId: string }

export interface Batches {
  /** Opens a batch, or the same batch again; resolves with its id. */
  open(clientId: string, clientCorrelatorId: string, recipients: number): Promise<string>
  /** Finds the id of a batch that was sent before. */
  find(clientId: string, clientCorrelatorId: string): Promise<string | undefined>
  /** Records that all messages were posted, but for `refused` recipients. */
  close(batchId: string, refused: number): Promise<void>
  /**
   * Reads a batch.
   * @throws ServiceError NOT_FOUND when absent or another client's.
   */
  get(caller: Caller, batchId: string): Promise<BatchRow>
}

/** The correlator of the n-th message, counted from 1. */
export const correlatorOf = (clientCorrelatorId: string, n: number): string => `${clientCorrelatorId}-${n}`

/**
 * Reads batches with their progress. Each message is found by its correlator in the index that keeps correlators
 * unique.
 */
const readBatches = (db: Statements, ids: readonly string[]) => db.$queryRaw<BatchRow[]>`
  SELECT b.id, b.client_id AS "clientId", b.client_correlator_id AS "clientCorrelatorId", b.recipients,
    b.refused, b.created_at AS "createdAt", m.accepted, m.sent, m.failed
  FROM messaging.batch b CROSS JOIN LATERAL (
    SELECT count(*)::int AS accepted,
      count(*) FILTER (WHERE t.status = ANY (${statusesOf(MESSAGE, ['COMPLETED'])}::text[]))::int AS sent,
      count(*) FILTER (WHERE t.status = ANY (${statusesOf(MESSAGE, ['FAILED'])}::text[]))::int AS failed
    FROM generate_series(1, b.recipients) n
    JOIN messaging.message t ON t.client_id = b.client_id
      AND t.client_correlator_id = b.client_correlator_id || '-' || n) m
  WHERE b.id = ANY (${ids}::uuid[])`

/**
 * Whether a caller may see a batch: it belongs to its client, and has many recipients, so a token that is bound to one
 * of them sees none.
 */
const maySee = ({ principal }: Caller, { clientId }: BatchRow): boolean => {
  const rows = visibleRows(principal)
  return rows.mobileNumber === undefined && (rows.clientId ?? clientId) === clientId
}

/** Makes the store of batches. */
export const createBatches = ({ db }: Platform): Batches => {
  const lookUp = batchedLookup(async (ids: readonly string[]) => {
    const found = new Map((await readBatches(db, ids)).map(row => [row.id, row]))
    return ids.map(id => found.get(id))
  })
  return {
    async open(clientId, clientCorrelatorId, recipients) {
      const [row] = await db.$queryRaw<{ id: string }[]>`
        INSERT INTO messaging.batch AS b (id, client_id, client_correlator_id, recipients, created_at)
        VALUES (${newId()}::uuid, ${clientId}, ${clientCorrelatorId}, ${recipients}, clock_timestamp())
        ON CONFLICT (client_id, client_correlator_id)
          DO UPDATE SET recipients = greatest(b.recipients, excluded.recipients), refused = NULL
        RETURNING id`
      return row!.id
    },
    async find(clientId, clientCorrelatorId) {
      const batch = await db.smsBatch.findUnique({
        where: { clientId_clientCorrelatorId: { clientId, clientCorrelatorId } },
      })
      return batch?.id
    },
    async close(batchId, refused) {
      await db.smsBatch.update({ where: { id: batchId }, data: { refused } })
    },
    async get(caller, batchId) {
      const row = isId(batchId) ? await lookUp(batchId.toLowerCase()) : undefined
      if (!row || !maySee(caller, row)) throw notFound(`Batch ${batchId.slice(0, 64)}`)
      return row
    },
  }
}
