/** The event log: append-only, numbered densely in commit order, so that "all after n" never misses one. */

import type { Statements } from '../data/db.ts'
import { bookOf, lockSequence, type Sequence, type SequenceHead } from '../data/gapless-sequence.ts'

/** The event log has a gapless sequence too: its writers take turns, and its numbers have no gaps. */
export const EVENT_SEQUENCE: Sequence = { schema: 'events', table: 'event' }

/** An event as it is written (contract document 1, "Event"); `position` is given on append. */
export interface NewEvent {
  readonly eventid: string
  readonly kind: string
  readonly eventType: 'PAYMENT_COMPLETED' | 'PAYMENT_FAILED'
  readonly eventTime: Date
  readonly transactionId: string
  readonly operationStatus: string
  readonly status: 'succeeded' | 'failed'
  readonly description: string
  readonly clientCorrelatorId: string | null
  readonly paymentDate: Date | null
  readonly clientId: string
  readonly accountNumber: string | null
  readonly mobileNumber: string | null
  /** The trace of its transaction's request. */
  readonly trace?: string | null
  /** Where it is to be sent, if anywhere; the token is encrypted. */
  readonly webhook?: WebhookTarget | undefined
}

/** Where an event is sent; without an address, to the endpoint that the client registered for its kind, if any. */
interface WebhookTarget {
  readonly deliveryId: string
  readonly url: string | null
  readonly origin: string | null
  readonly token: string | null
}

/** An event of whatever kind: of a transaction, or of an account (`account.ts`). */
type Appended = Omit<NewEvent, 'eventType'> & { readonly eventType: string; readonly detail?: object }

/**
 * Locks the log until the transaction ends: call it last, and write what else is left at the same time as the events.
 * @returns its end, and when that is: never earlier than what is in it.
 */
export const lockEventLog = (tx: Statements): Promise<SequenceHead> => lockSequence(tx, EVENT_SEQUENCE)

/**
 * Appends events, with the deliveries of their webhooks, in the caller's transaction, which commits them together with
 * what happened.
 */
export async function appendEvents(tx: Statements, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await writeEvents(tx, await lockEventLog(tx), events)
}

/**
 * Appends events as `appendEvents` does.
 * @param head the end of the log, which the caller has locked.
 */
export async function writeEvents(
  tx: Statements,
  head: SequenceHead,
  events: readonly Appended[],
): Promise<void> {
  const rows = events.map(({ webhook, ...event }, index) => ({
    ...event,
    ...webhook,
    position: `${head.position + BigInt(index) + 1n}`,
  }))
  await tx.$executeRaw`
    WITH entry AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (
        position bigint, eventid uuid, kind text, "eventType" text, "eventTime" timestamptz, "transactionId" uuid,
        "operationStatus" text, status text, description text, "clientCorrelatorId" text, "paymentDate" timestamptz,
        "clientId" text, "accountNumber" text, "mobileNumber" text, trace text, detail jsonb, "deliveryId" uuid,
        url text, origin text, token text)),
    written AS (
      INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status,
        status, description, client_correlator_id, payment_date, client_id, account_number, mobile_number, trace,
        detail)
      SELECT position, eventid, kind, "eventType", "eventTime", "transactionId", "operationStatus", status, description,
        "clientCorrelatorId", "paymentDate", "clientId", "accountNumber", "mobileNumber", trace, detail
      FROM entry),
    queued AS (
      INSERT INTO events.delivery (id, position, eventid, kind, transaction_id, client_id, url, origin, token,
        created_at, next_attempt_at, endpoint_id)
      SELECT "deliveryId", position, eventid, kind, "transactionId", "clientId", coalesce(entry.url, registered.url),
        coalesce(entry.origin, registered.origin), token, "eventTime", "eventTime", registered.id
      FROM entry LEFT JOIN LATERAL (
        SELECT r.id, r.url, r.origin FROM events.registered_endpoint r
        WHERE entry.url IS NULL AND r.client_id = entry."clientId" AND entry.kind = ANY (r.kinds) LIMIT 1) registered ON TRUE
      WHERE "deliveryId" IS NOT NULL AND coalesce(entry.url, registered.url) IS NOT NULL)
    UPDATE ${bookOf(EVENT_SEQUENCE)} SET position = position + ${events.length}, written_at = ${head.now}::timestamptz
    WHERE name = ${EVENT_SEQUENCE.table} AND client_id = ''`
}
