/** Deliveries as people look at them: for a transaction, by id, and sent again on request. */

import type { Caller } from '../access/caller.ts'
import { visibleRows } from '../access/visibility.ts'
import { visibleTo } from '../access/visible-to.ts'
import { Prisma, type Reader, type Transaction } from '../data/db.ts'
import { notFound } from '../errors/catalogue.ts'
import { isId } from '../values/id.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'DEAD'

/** A delivery without its token, which nobody sees. */
export interface DeliveryRow {
  readonly id: string
  readonly position: bigint
  readonly eventid: string
  readonly kind: string
  readonly transactionId: string
  readonly clientId: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
  readonly deliveredAt: Date | null
}

/** The columns under the names of `DeliveryRow`, of a table called `t`. */
export const DELIVERY_COLUMNS = Prisma.raw(`
  t.id, t.position, t.eventid, t.kind, t.transaction_id AS "transactionId", t.client_id AS "clientId", t.url, t.status,
  t.attempts, t.last_status AS "lastStatus", t.last_error AS "lastError", t.next_attempt_at AS "nextAttemptAt",
  t.created_at AS "createdAt", t.delivered_at AS "deliveredAt"`)

/** That a row of a table called `t` has a status: the words are spelled out, so that the partial indexes serve. */
export const IS_STATUS: Readonly<Record<DeliveryStatus, Prisma.Sql>> = {
  PENDING: Prisma.sql`t.status = 'PENDING'`,
  DELIVERED: Prisma.sql`t.status = 'DELIVERED'`,
  DEAD: Prisma.sql`t.status = 'DEAD'`,
}

/** The deliveries of each transaction in the order of their events, by one statement. */
export async function deliveriesOf(db: Reader, transactionIds: readonly string[]): Promise<DeliveryRow[][]> {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS} FROM events.delivery t
    WHERE t.transaction_id = ANY (${transactionIds}::uuid[]) ORDER BY t.position`
  const found = Map.groupBy(rows, row => row.transactionId)
  return transactionIds.map(id => found.get(id) ?? [])
}

/** What is set to send again, in a table called `t`. */
export const BEGIN_ANEW = Prisma.raw(`
  status = 'PENDING', next_attempt_at = clock_timestamp(), delivered_at = NULL,
  attempts = CASE WHEN t.status = 'PENDING' THEN t.attempts ELSE 0 END`)

/** Whether there still is what would be sent. */
export const HAS_EVENT = Prisma.raw('EXISTS (SELECT 1 FROM events.event e WHERE e.position = t.position)')

/**
 * Sends again: what had ended begins its attempts anew, with the same `eventid`; what waits is due at once. An
 * event that the log no longer has cannot be sent.
 * @param visible the condition that the caller may see it.
 * @throws ServiceError NOT_FOUND
 */
export async function redeliver(
  db: Transaction,
  deliveryId: string,
  visible: Prisma.Sql = Prisma.sql`TRUE`,
): Promise<DeliveryRow> {
  const [row] = isId(deliveryId)
    ? await db.$queryRaw<DeliveryRow[]>`
        UPDATE events.delivery t SET ${BEGIN_ANEW}
        WHERE t.id = ${deliveryId}::uuid AND ${visible} AND ${HAS_EVENT}
        RETURNING ${DELIVERY_COLUMNS}`
    : []
  if (!row) throw notFound(`Delivery ${deliveryId.slice(0, 64)}`)
  return row
}

/** The condition that a delivery is one that the caller may see. */
export const visibleDeliveries = ({ principal }: Caller): Prisma.Sql => {
  const { clientId, mobileNumber } = visibleRows(principal)
  if (mobileNumber === undefined) return visibleTo({ clientId }, 't')
  return Prisma.sql`${visibleTo({ clientId }, 't')} AND t.position IN (SELECT e.position FROM events.event e WHERE e.mobile_number = ${mobileNumber})`
}
