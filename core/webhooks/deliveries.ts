/**
 * Deliveries as clients and operators read them: of a transaction, and as `Query.webhookDeliveries` and `webhooks list`,
 * narrowed and paged by the number of their event.
 */

import type { Cipher } from '../access/cipher.ts'
import { canRead } from '../access/key-check.ts'
import type { Caller } from '../access/principal.ts'
import { visibleRows, visibleTo } from '../access/visibility.ts'
import { type Db, Prisma, type Statements } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import { type CountedConnection, type PageArgs, parsePageArgs, toCursor } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { isId } from '../values/id.ts'
import { type WithMoments, withInstants } from '../values/time.ts'

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'DEAD'

/** A delivery without its token, which no reader sees. */
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

/** The condition that a row of a table called `t` has a status: the words are spelled out, so that partial indexes serve. */
export const IS_STATUS: Readonly<Record<DeliveryStatus, Prisma.Sql>> = {
  PENDING: Prisma.sql`t.status = 'PENDING'`,
  DELIVERED: Prisma.sql`t.status = 'DELIVERED'`,
  DEAD: Prisma.sql`t.status = 'DEAD'`,
}

/** The condition that the caller may see a delivery. */
export const visibleDeliveries = ({ principal }: Caller): Prisma.Sql => {
  const { clientId, mobileNumber } = visibleRows(principal)
  if (mobileNumber === undefined) return visibleTo({ clientId }, 't')
  return Prisma.sql`${visibleTo({ clientId }, 't')} AND t.position IN (SELECT e.position FROM events.event e WHERE e.mobile_number = ${mobileNumber})`
}

/** The deliveries of each transaction in the order of their events, by one statement. */
export async function deliveriesOf(
  db: Statements,
  transactionIds: readonly string[],
): Promise<DeliveryRow[][]> {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS} FROM events.delivery t
    WHERE t.transaction_id = ANY (${transactionIds}::uuid[]) ORDER BY t.position`
  const found = Map.groupBy(rows, row => row.transactionId)
  return transactionIds.map(id => found.get(id) ?? [])
}

/** The graph's `WebhookDeliveryFilter`; fields that are given must all hold. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | null
  readonly clientId?: string | null
  readonly transactionId?: string | null
  readonly kind?: string | null
  readonly from?: Date | null
  readonly to?: Date | null
}

/** A page of deliveries with its total. */
export type DeliveryConnection = CountedConnection<DeliveryRow>

export interface DeliveryArgs extends PageArgs {
  readonly filter?: WithMoments<DeliveryFilter> | null
}

const conditionsOf = ({ status, clientId, transactionId, kind, from, to }: DeliveryFilter): Prisma.Sql => {
  const conditions = [Prisma.sql`TRUE`]
  if (status != null) conditions.push(IS_STATUS[status])
  if (clientId != null) conditions.push(Prisma.sql`t.client_id = ${clientId}`)
  if (transactionId != null) {
    if (!isId(transactionId))
      throw invalidField('filter.transactionId', 'BAD_FORMAT', 'must be an id of a transaction')
    conditions.push(Prisma.sql`t.transaction_id = ${transactionId}::uuid`)
  }
  if (kind != null) conditions.push(Prisma.sql`t.kind = ${kind}`)
  if (from != null) conditions.push(Prisma.sql`t.created_at >= ${from}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`t.created_at <= ${to}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}

/**
 * A page of deliveries.
 * @param visible the condition that the caller may see a delivery.
 * @throws ServiceError INVALID_ARGUMENT
 */
export const listDeliveries = async (
  db: Statements,
  args: DeliveryArgs,
  visible: Prisma.Sql = Prisma.sql`TRUE`,
): Promise<DeliveryConnection> =>
  readKeysetPage<DeliveryRow>(db, {
    columns: DELIVERY_COLUMNS,
    from: Prisma.sql`events.delivery t`,
    keyset: parsePageArgs(args),
    where: Prisma.sql`${visible} AND ${conditionsOf(withInstants(args.filter ?? {}))}`,
    number: Prisma.raw('t.position'),
    cursorOf: row => toCursor(row.position),
  })

/** So many tokens are tried; beyond, the number of unreadable ones is a least one. */
const MAX_TOKENS_TRIED = 1_000

/** How many callback tokens the encryption key does not read, among `MAX_TOKENS_TRIED` pending deliveries with a token. */
export async function countUnreadableTokens(db: Db, cipher: Cipher): Promise<number> {
  const rows = await db.$queryRaw<{ token: string }[]>`
    SELECT token FROM events.delivery WHERE status = 'PENDING' AND token IS NOT NULL LIMIT ${MAX_TOKENS_TRIED}`
  return rows.filter(({ token }) => !canRead(cipher, token)).length
}
