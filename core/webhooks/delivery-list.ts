/** `Query.webhookDeliveries` and `webhooks list`: deliveries narrowed and paged by the number of their event. */
import { Prisma, type Reader } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import { toCursor } from '../paging/cursor.ts'
import { type CountedConnection, type PageArgs, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { isId } from '../values/id.ts'
import { type WithMoments, withInstants } from '../values/time.ts'
import { DELIVERY_COLUMNS, type DeliveryRow, type DeliveryStatus, IS_STATUS } from './deliveries.ts'

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

const uuid = (path: string, id: string): string => {
  if (!isId(id)) throw invalidField(path, 'BAD_FORMAT', 'must be an id of a transaction')
  return id
}

const conditionsOf = ({ status, clientId, transactionId, kind, from, to }: DeliveryFilter): Prisma.Sql => {
  const conditions = [Prisma.sql`TRUE`]
  if (status != null) conditions.push(IS_STATUS[status])
  if (clientId != null) conditions.push(Prisma.sql`t.client_id = ${clientId}`)
  if (transactionId != null)
    conditions.push(Prisma.sql`t.transaction_id = ${uuid('filter.transactionId', transactionId)}::uuid`)
  if (kind != null) conditions.push(Prisma.sql`t.kind = ${kind}`)
  if (from != null) conditions.push(Prisma.sql`t.created_at >= ${from}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`t.created_at <= ${to}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}

export interface DeliveryArgs extends PageArgs {
  readonly filter?: WithMoments<DeliveryFilter> | null
}

const POSITION = Prisma.raw('t.position')

/**
 * A page of deliveries.
 * @param visible the condition that the caller may see a delivery.
 */
export const listDeliveries = async (
  db: Reader,
  args: DeliveryArgs,
  visible: Prisma.Sql = Prisma.sql`TRUE`,
): Promise<DeliveryConnection> =>
  readKeysetPage<DeliveryRow>(db, {
    columns: DELIVERY_COLUMNS,
    from: Prisma.sql`events.delivery t`,
    keyset: parsePageArgs(args),
    where: Prisma.sql`${visible} AND ${conditionsOf(withInstants(args.filter ?? {}))}`,
    number: POSITION,
    cursorOf: row => toCursor(row.position),
  })
