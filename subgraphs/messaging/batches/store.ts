/**
 * Batches of SMS: kept from when the first of its messages is posted, and counted from its messages, which are those of
 * the client whose correlator is the batch's with `-<n>` behind it.
 */

import type { Caller } from '#core/access/principal.ts'
import { visibleRows } from '#core/access/visibility.ts'
import type { Platform } from '#core/context/app.ts'
import { batchedLookup } from '#core/data/batched-lookup.ts'
import type { Reader } from '#core/data/db.ts'
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
  /** How many recipients were refused; null while they are being posted. */
  readonly refused: number | null
  readonly createdAt: Date
  /** How many messages there are, and how many of them have come to which end. */
  readonly accepted: number
  readonly sent: number
  readonly failed: number
}

/** An event that says that a batch has gone on. */
export type BatchProgress = EventRow & { readonly batchId: string }

export interface Batches {
  /** Begins a batch, or goes on with one that was sent before; its id. */
  open(clientId: string, clientCorrelatorId: string, recipients: number): Promise<string>
  /** The id of one that was sent before, if it was. */
  find(clientId: string, clientCorrelatorId: string): Promise<string | undefined>
  /** All of it was posted, but for so many. */
  close(batchId: string, refused: number): Promise<void>
  /** @throws ServiceError NOT_FOUND when absent or another client's. */
  get(caller: Caller, batchId: string): Promise<BatchRow>
}

/** The correlator of the n-th message, counted from 1. */
export const correlatorOf = (clientCorrelatorId: string, n: number): string => `${clientCorrelatorId}-${n}`

/** Each message is found by its correlator in the index that keeps correlators unique. */
const readBatches = (db: Reader, ids: readonly string[]) => db.$queryRaw<BatchRow[]>`
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

/** A batch is its client's; it has many recipients, so a token that is bound to one of them sees none. */
const maySee = ({ principal }: Caller, { clientId }: BatchRow): boolean => {
  const rows = visibleRows(principal)
  return rows.mobileNumber === undefined && (rows.clientId ?? clientId) === clientId
}

/** The batches in this database. */
export const createBatches = ({ db, reader }: Platform): Batches => {
  const lookUp = batchedLookup(async (ids: readonly string[]) => {
    const found = new Map((await readBatches(reader, ids)).map(row => [row.id, row]))
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
