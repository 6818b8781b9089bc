/**
 * Deliveries sent again on request: one by its id, or with `Mutation.redeliverWebhooks` those of some time, a bounded part
 * with each call.
 */
import { Prisma, type Statements } from '../data/db.ts'
import { invalidField, notFound } from '../errors/catalogue.ts'
import { positionSince } from '../events/read.ts'
import { isId } from '../values/id.ts'
import { endOf, type Moment, startOf } from '../values/time.ts'
import { DELIVERY_COLUMNS, type DeliveryRow, type DeliveryStatus, IS_STATUS } from './deliveries.ts'

/** The columns that an update of a table called `t` sets to send a delivery again. */
const BEGIN_ANEW = Prisma.raw(`
  status = 'PENDING', next_attempt_at = statement_timestamp(), delivered_at = NULL,
  attempts = CASE WHEN t.status = 'PENDING' THEN t.attempts ELSE 0 END`)

/** The condition that the log still has the event. */
const HAS_EVENT = Prisma.raw('EXISTS (SELECT 1 FROM events.event e WHERE e.position = t.position)')

/**
 * Sends a delivery again, with the same `eventid`: one that had ended begins its attempts anew, a pending one is due at
 * once. An event that the log no longer has cannot be sent.
 * @param visible the condition that the caller may see it.
 * @throws ServiceError NOT_FOUND
 */
export async function redeliver(
  db: Statements,
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

/** The graph's `RedeliverWebhooksFilter`; fields that are given must all hold. */
export interface RedeliveryFilter {
  /** Dead ones unless it is given. */
  readonly status?: DeliveryStatus | null
  /** Of events at or after this instant; a day is its start. */
  readonly since?: Moment | null
  /** Of events at or before this instant; a day is its end. */
  readonly until?: Moment | null
  /** Last attempted at or before this instant; a day is its end. Deliveries that are sent again are later, and so are left. */
  readonly lastAttemptUntil?: Moment | null
  /** Of this client's transactions. */
  readonly partner?: string | null
}

/** The most that one call sends again. */
export const MAX_REDELIVERED = 1_000

const AT = 'filter.lastAttemptUntil'

/**
 * Checks that repeated calls come to an end. Delivered events would arrive again with every call, unless an instant before
 * the first call separates them from those that are yet to be sent.
 * @throws ServiceError INVALID_ARGUMENT
 */
export const checkRedelivery = ({ status, lastAttemptUntil }: RedeliveryFilter): void => {
  const until = endOf(lastAttemptUntil)
  if (until == null && status === 'DELIVERED')
    throw invalidField(AT, 'REQUIRED', 'must be given with DELIVERED, so that nothing is sent again twice')
  if (until != null && until.getTime() > Date.now())
    throw invalidField(AT, 'IN_THE_FUTURE', 'must not lie in the future')
}

/** When a delivery of a table called `t` was last attempted; before everything if it was not. */
const LAST_ATTEMPT = Prisma.sql`
  coalesce(t.delivered_at, (t.attempt_log -> -1 ->> 'at')::timestamptz, '-infinity'::timestamptz)`

/** The bounds by position keep what is looked at small, however much is kept. */
const conditionsOf = ({ status, partner, lastAttemptUntil, ...span }: RedeliveryFilter): Prisma.Sql => {
  const [since, until] = [startOf(span.since), endOf(span.until)]
  const conditions = [IS_STATUS[status ?? 'DEAD']]
  // One that is due is sent anyway: counted again and again, the calls would not come to an end.
  if (status === 'PENDING') conditions.push(Prisma.sql`t.next_attempt_at > statement_timestamp()`)
  if (partner != null) conditions.push(Prisma.sql`t.client_id = ${partner}`)
  if (since != null)
    conditions.push(
      Prisma.sql`t.position >= ${positionSince(since)} AND t.created_at >= ${since}::timestamptz`,
    )
  if (until != null) conditions.push(Prisma.sql`t.created_at <= ${until}::timestamptz`)
  const attempted = endOf(lastAttemptUntil)
  if (attempted != null) conditions.push(Prisma.sql`${LAST_ATTEMPT} <= ${attempted}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}

/**
 * Sends again as `redeliver` does, the oldest first, at most `MAX_REDELIVERED`; what another holds at the moment is left.
 * @param visible the condition that the caller may see a delivery.
 * @returns how many.
 */
export const redeliverMany = (
  db: Statements,
  filter: RedeliveryFilter,
  visible: Prisma.Sql,
): Promise<number> => db.$executeRaw`
  WITH picked AS MATERIALIZED (
    SELECT t.id FROM events.delivery t WHERE ${visible} AND ${conditionsOf(filter)}
    ORDER BY t.position LIMIT ${MAX_REDELIVERED} FOR UPDATE SKIP LOCKED)
  UPDATE events.delivery t SET ${BEGIN_ANEW} FROM picked WHERE t.id = picked.id AND ${HAS_EVENT}`
