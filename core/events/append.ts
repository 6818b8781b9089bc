/** The event log: append-only, numbered densely in commit order, so that "all after n" never misses one. */

import type { CommitNotifier } from '../async/worker.ts'
import type { Db, Statements } from '../data/db.ts'
import { bookOf, lockSequence, type Sequence, type SequenceHead } from '../data/gapless-sequence.ts'
import type { TransactionOptions } from '../data/transactions.ts'

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
export type Appended = Omit<NewEvent, 'eventType'> & { readonly eventType: string; readonly detail?: object }

/**
 * Leases that deliveries of a transaction are written with: this process sends them from memory once they are committed,
 * and nobody has to claim them. Only for the first event of a transaction, which waits for no other.
 */
export interface FirstLeases {
  /** Takes places for webhooks of these events. @returns the leases of those that got one, by the deliveries' ids. */
  take(events: readonly Appended[], now: Date): ReadonlyMap<string, Date>
  /**
   * Hears what was written.
   * @param leased the deliveries that have their lease; another's endpoint is paused.
   * @param waiting how many others there are.
   */
  written(leased: ReadonlySet<string>, waiting: number): void
  /** Whether no delivery waits for a claim. */
  readonly isComplete: boolean
  /** Sends what has a lease, once it is committed. */
  send(): void
  /** Gives the places back, where nothing was committed. */
  giveBack(): void
}

/** The sender of this process's webhooks, once there is one. */
export class WebhookSenders {
  readonly #senders = new Set<() => FirstLeases>()

  /** @param begin gives the leases of one transaction. @returns a function that removes the sender. */
  add(begin: () => FirstLeases): () => void {
    this.#senders.add(begin)
    return () => void this.#senders.delete(begin)
  }

  begin(): FirstLeases | undefined {
    const [begin] = this.#senders
    return begin?.()
  }
}

/** Parts of a process that committing events needs. */
interface CommitParts {
  readonly db: Db
  readonly webhookSenders: WebhookSenders
  readonly eventsWritten: CommitNotifier
}

/**
 * Commits first events of transactions, sends those of their webhooks that this process has places for, and notifies readers.
 * @param work returns what it wrote events of. It may be done twice, as in any transaction.
 */
export async function commitFirstEvents<T>(
  { db, webhookSenders, eventsWritten }: CommitParts,
  work: (tx: Statements, leases: FirstLeases | undefined) => Promise<readonly T[]>,
  options?: TransactionOptions,
): Promise<readonly T[]> {
  let leases: FirstLeases | undefined
  try {
    const written = await db.$transaction(tx => {
      leases?.giveBack()
      leases = webhookSenders.begin()
      return work(tx, leases)
    }, options)
    leases?.send()
    if (written.length > 0) eventsWritten.emit(leases?.isComplete ? 'begun' : 'local')
    return written
  } catch (error) {
    leases?.giveBack()
    throw error
  }
}

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

/** Makes the entry of an event. One by one and with times as texts, its members take a quarter of the time to be written as JSON. */
const toEntry = (event: Appended, position: bigint, leaseOf: ReadonlyMap<string, Date> | undefined) => ({
  position: `${position}`,
  eventid: event.eventid,
  kind: event.kind,
  eventType: event.eventType,
  eventTime: event.eventTime.toISOString(),
  transactionId: event.transactionId,
  operationStatus: event.operationStatus,
  status: event.status,
  description: event.description,
  clientCorrelatorId: event.clientCorrelatorId,
  paymentDate: event.paymentDate?.toISOString(),
  clientId: event.clientId,
  accountNumber: event.accountNumber,
  mobileNumber: event.mobileNumber,
  trace: event.trace,
  detail: event.detail,
  deliveryId: event.webhook?.deliveryId,
  url: event.webhook?.url,
  origin: event.webhook?.origin,
  token: event.webhook?.token,
  lease: event.webhook && leaseOf?.get(event.webhook.deliveryId)?.toISOString(),
})

/**
 * Appends events as `appendEvents` does.
 * @param head the end of the log, which the caller has locked.
 * @param leases where these are the first events of their transactions.
 */
export async function writeEvents(
  tx: Statements,
  head: SequenceHead,
  events: readonly Appended[],
  leases?: FirstLeases,
): Promise<void> {
  const leaseOf = leases?.take(events, head.now)
  const rows = events.map((event, index) => toEntry(event, head.position + BigInt(index) + 1n, leaseOf))
  // `OFFSET 0` asks for the pause of each endpoint by itself: a plan could read all that are paused beside the few that are written.
  const [queued] = await tx.$queryRaw<[{ leased: string[] | null; waiting: number }]>`
    WITH entry AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS e (
        position bigint, eventid uuid, kind text, "eventType" text, "eventTime" timestamptz, "transactionId" uuid,
        "operationStatus" text, status text, description text, "clientCorrelatorId" text, "paymentDate" timestamptz,
        "clientId" text, "accountNumber" text, "mobileNumber" text, trace text, detail jsonb, "deliveryId" uuid,
        url text, origin text, token text, lease timestamptz)),
    written AS (
      INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status,
        status, description, client_correlator_id, payment_date, client_id, account_number, mobile_number, trace,
        detail)
      SELECT position, eventid, kind, "eventType", "eventTime", "transactionId", "operationStatus", status, description,
        "clientCorrelatorId", "paymentDate", "clientId", "accountNumber", "mobileNumber", trace, detail
      FROM entry),
    queued AS (
      INSERT INTO events.delivery (id, position, eventid, kind, transaction_id, client_id, url, origin, token,
        created_at, next_attempt_at, endpoint_id, lease)
      SELECT "deliveryId", position, eventid, kind, "transactionId", "clientId", coalesce(entry.url, registered.url),
        coalesce(entry.origin, registered.origin), token, "eventTime", "eventTime", registered.id,
        CASE WHEN entry.lease IS NULL OR EXISTS (SELECT 1 FROM events.endpoint_health h
          WHERE h.client_id = entry."clientId" AND h.origin = entry.origin AND h.health = 'PAUSED' OFFSET 0) THEN NULL ELSE entry.lease END
      FROM entry LEFT JOIN LATERAL (
        SELECT r.id, r.url, r.origin FROM events.registered_endpoint r
        WHERE entry.url IS NULL AND r.client_id = entry."clientId" AND entry.kind = ANY (r.kinds) LIMIT 1) registered ON TRUE
      WHERE "deliveryId" IS NOT NULL AND coalesce(entry.url, registered.url) IS NOT NULL
      RETURNING id, lease),
    counted AS (
      UPDATE ${bookOf(EVENT_SEQUENCE)} SET position = position + ${events.length}, written_at = ${head.now}::timestamptz
      WHERE name = ${EVENT_SEQUENCE.table} AND client_id = '')
    SELECT array_agg(id::text) FILTER (WHERE lease IS NOT NULL) AS leased,
      count(*) FILTER (WHERE lease IS NULL)::int AS waiting FROM queued`
  leases?.written(new Set(queued.leased), queued.waiting)
}
