/** `Mutation.redeliverWebhooks`: what was given up since a time sent again at once, a bounded part with each call. */

import { Prisma, type Transaction } from '../data/db.ts'
import { invalidField } from '../errors/catalogue.ts'
import { positionSince } from '../events/position-since.ts'
import { endOf, type Moment, startOf } from '../values/time.ts'
import { BEGIN_ANEW, type DeliveryStatus, HAS_EVENT, IS_STATUS } from './deliveries.ts'

/** The graph's `RedeliverWebhooksFilter`; fields that are given must all hold. */
export interface RedeliveryFilter {
  /** Dead ones unless it is said. */
  readonly status?: DeliveryStatus | null
  /** Of events at or after this instant; a day is its start. */
  readonly since?: Moment | null
  /** Of events at or before this instant; a day is its end. */
  readonly until?: Moment | null
  /** Last attempted at or before this instant; a day is its end. What is sent again is later, and so is left. */
  readonly lastAttemptUntil?: Moment | null
  /** Of this client's transactions. */
  readonly partner?: string | null
}

/** The most that one call sends again. */
export const MAX_REDELIVERED = 1_000

const AT = 'filter.lastAttemptUntil'

/**
 * What has arrived arrives again with every call, unless something tells what is yet to be sent from what was: an instant
 * does, as long as it lies before the first call.
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
  if (status === 'PENDING') conditions.push(Prisma.sql`t.next_attempt_at > clock_timestamp()`)
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
  db: Transaction,
  filter: RedeliveryFilter,
  visible: Prisma.Sql,
): Promise<number> => db.$executeRaw`
  WITH picked AS MATERIALIZED (
    SELECT t.id FROM events.delivery t WHERE ${visible} AND ${conditionsOf(filter)}
    ORDER BY t.position LIMIT ${MAX_REDELIVERED} FOR UPDATE SKIP LOCKED)
  UPDATE events.delivery t SET ${BEGIN_ANEW} FROM picked WHERE t.id = picked.id AND ${HAS_EVENT}`
