/** Rows that a journey is told from: its transactions, and what was recorded of each in other tables. */
import type { VisibleRows } from '#core/access/visibility.ts'
import { visibleTo } from '#core/access/visibility.ts'
import { Prisma, type Statements } from '#core/data/db.ts'
import { EVENT_COLUMNS, type EventFilter, type EventRow, eventConditions } from '#core/events/event.ts'
import { REQUEST_COLUMNS, type RequestRow } from '#core/requests/read.ts'
import { tableOf } from '#core/transactions/kind.ts'
import { type InterventionRow, interventionsIn } from '#core/transactions/settle/intervene.ts'
import { DELIVERY_COLUMNS, type DeliveryRow } from '#core/webhooks/deliveries.ts'
import { type LoggedAttempt, readAttemptLogs } from '#core/webhooks/outcomes.ts'
import type { Kinds } from '../kinds.ts'
import { hasCorrelator } from '../timeline/conditions.ts'
import type { DESCRIBED, TimelineRow } from '../timeline/entry.ts'

/** Most transactions of one journey: a batch of messages has thousands under one correlator. */
export const MAX_TRANSACTIONS = 20

/** Most requests of one journey: a client may send the same correlator with each. */
export const MAX_REQUESTS = 50

/** Rows that a caller may see. */
export interface JourneyVisibility {
  /** Transactions that are named by their ids. */
  readonly rows: VisibleRows
  /** Transactions that are looked for, as the timeline lists them: of a bound token those of its number. */
  readonly listed: VisibleRows
  readonly events: EventFilter
  /** Condition on deliveries called `t`. */
  readonly deliveries: Prisma.Sql
  /** Condition on requests called `r`. */
  readonly requests: Prisma.Sql
}

/** Transaction as a journey describes it. */
export interface TravelledRow extends Pick<TimelineRow, (typeof DESCRIBED)[number]> {
  readonly id: string
  readonly clientId: string
  readonly createdAt: Date
  readonly completedAt: Date | null
  readonly status: string
  readonly reason: string | null
}

/** Order to a charging system outside of the database. */
export interface OrderRow {
  readonly transactionId: string
  readonly state: 'waiting' | 'sent' | 'pending' | 'reserved' | 'known' | 'concluded'
  /** Calls in this state that brought no outcome. */
  readonly attempts: number
  readonly submittedAt: Date | null
  readonly nextAttemptAt: Date | null
  readonly lastError: string | null
  readonly outcome: string | null
  readonly reason: string | null
  readonly concludedAt: Date | null
}

/** Part of a message at its message centre. */
export interface SentPartRow {
  readonly transactionId: string
  readonly number: number
  readonly total: number
  readonly smsc: string
  readonly state: string
  readonly reason: string | null
  readonly triedAt: Date
}

/** Settling that the ledger could not do, and does again. */
export interface QuarantinedRow {
  readonly transactionId: string
  readonly failures: number
  readonly dueAt: Date
}

/** Delivery with its attempts, the oldest first. */
export interface AttemptedDelivery {
  readonly delivery: DeliveryRow
  readonly attempts: readonly LoggedAttempt[]
}

/** Everything that is recorded of some transactions, and of the requests that led to them. */
export interface Records {
  /** Requests, the newest first. */
  readonly requests: readonly RequestRow[]
  readonly transactions: readonly TravelledRow[]
  readonly orders: readonly OrderRow[]
  readonly parts: readonly SentPartRow[]
  readonly quarantined: readonly QuarantinedRow[]
  readonly interventions: readonly InterventionRow[]
  readonly events: readonly EventRow[]
  readonly deliveries: readonly AttemptedDelivery[]
}

/**
 * Finds the ids of the newest transactions with a correlator, the client's own or that of the request, one more than a
 * journey has. It finds what the timeline has.
 */
export async function idsByCorrelator(
  db: Statements,
  correlator: string,
  visible: VisibleRows,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH found AS MATERIALIZED (SELECT e.id, e.sort FROM activity.entry e
      WHERE ${hasCorrelator(correlator)} AND ${visibleTo(visible, 'e')})
    SELECT id FROM found ORDER BY sort DESC LIMIT ${MAX_TRANSACTIONS + 1}`
  return rows.map(({ id }) => id)
}

/** Reads the newest requests with a correlator, one more than a journey has. */
export const requestsByCorrelator = (
  db: Statements,
  correlator: string,
  visible: Prisma.Sql,
): Promise<RequestRow[]> => db.$queryRaw<RequestRow[]>`
  SELECT ${REQUEST_COLUMNS} FROM activity.request r WHERE r.correlator = ${correlator} AND ${visible}
  ORDER BY r.id DESC LIMIT ${MAX_REQUESTS + 1}`

/** Reads the newest requests that posted these transactions, or that these stood in the way of. */
const requestsOf = (db: Statements, ids: readonly string[], visible: Prisma.Sql) => db.$queryRaw<
  RequestRow[]
>`
  SELECT ${REQUEST_COLUMNS} FROM activity.request r
  WHERE r.transaction_id = ANY (${ids}::uuid[]) AND r.transaction_id IS NOT NULL AND ${visible}
  ORDER BY r.id DESC LIMIT ${MAX_REQUESTS}`

/** Requests of both sorts, each once, the newest first: ids are in order of time. */
const joinRequests = (some: readonly RequestRow[], others: readonly RequestRow[]): RequestRow[] =>
  [...new Map([...some, ...others].map(request => [request.id, request])).values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MAX_REQUESTS)

/** Reads the visible ones among the transactions with these ids, of whichever kind, the newest first. */
const transactionsOf = (db: Statements, kinds: Kinds, ids: readonly string[], visible: VisibleRows) => {
  const selects = kinds.map(
    kind => Prisma.sql`
      SELECT t.id, ${kind.name}::text AS kind, t.client_id AS "clientId", t.created_at AS "createdAt",
        t.completed_at AS "completedAt", t.status, t.reason, t.account_number AS "accountNumber",
        t.mobile_number AS "mobileNumber", t.amount, t.currency, t.points
      FROM ${tableOf(kind)} t WHERE t.id = ANY (${ids}::uuid[]) AND ${visibleTo(visible, 't')}`,
  )
  return db.$queryRaw<TravelledRow[]>`
    SELECT found.*, coalesce(e.text, '') AS text FROM (${Prisma.join(selects, ' UNION ALL ')}) found
    LEFT JOIN activity.entry e ON e.id = found.id ORDER BY found."createdAt" DESC, found.id DESC`
}

const ordersOf = (db: Statements, ids: readonly string[]) => db.$queryRaw<OrderRow[]>`
  SELECT transaction_id AS "transactionId", state, attempts, submitted_at AS "submittedAt",
    next_attempt_at AS "nextAttemptAt", last_error AS "lastError", outcome, reason, concluded_at AS "concludedAt"
  FROM charging."order" WHERE transaction_id = ANY (${ids}::uuid[])`

const partsOf = (db: Statements, ids: readonly string[]) => db.$queryRaw<SentPartRow[]>`
  SELECT transaction_id AS "transactionId", number::int AS number, total::int AS total, smsc, state, reason,
    tried_at AS "triedAt"
  FROM messaging.part WHERE transaction_id = ANY (${ids}::uuid[]) ORDER BY transaction_id, number`

const quarantinedOf = (db: Statements, ids: readonly string[]) => db.$queryRaw<QuarantinedRow[]>`
  SELECT transaction_id AS "transactionId", failures, due_at AS "dueAt"
  FROM charging.set_aside WHERE transaction_id = ANY (${ids}::uuid[])`

const eventsOf = (db: Statements, ids: readonly string[], visible: EventFilter) => db.$queryRaw<EventRow[]>`
  SELECT ${EVENT_COLUMNS} FROM events.event e
  WHERE e.transaction_id = ANY (${ids}::uuid[]) AND ${eventConditions(visible)} ORDER BY e.position`

const deliveriesIn = async (db: Statements, ids: readonly string[], visible: Prisma.Sql) => {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS} FROM events.delivery t
    WHERE t.transaction_id = ANY (${ids}::uuid[]) AND ${visible} ORDER BY t.position`
  if (rows.length === 0) return []
  const logs = await readAttemptLogs(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((delivery, index): AttemptedDelivery => {
    const log = logs[index]!
    return { delivery, attempts: log instanceof Error ? [] : log }
  })
}

const NOTHING: Omit<Records, 'requests'> = {
  transactions: [],
  orders: [],
  parts: [],
  quarantined: [],
  interventions: [],
  events: [],
  deliveries: [],
}

/**
 * Reads everything of the visible transactions among these ids, by nine statements at the most.
 * @param requests those that are known already.
 */
export async function readRecords(
  db: Statements,
  kinds: Kinds,
  ids: readonly string[],
  requests: readonly RequestRow[],
  visible: JourneyVisibility,
): Promise<Records> {
  const transactions = ids.length === 0 ? [] : await transactionsOf(db, kinds, ids, visible.rows)
  const seen = transactions.map(({ id }) => id)
  if (seen.length === 0) return { ...NOTHING, requests }
  const messages = transactions.filter(({ kind }) => kind === 'MESSAGE').map(({ id }) => id)
  const [orders, parts, quarantined, interventions, events, deliveries, others] = await Promise.all([
    ordersOf(db, seen),
    messages.length === 0 ? [] : partsOf(db, messages),
    quarantinedOf(db, seen),
    interventionsIn(db, seen),
    eventsOf(db, seen, visible.events),
    deliveriesIn(db, seen, visible.deliveries),
    requestsOf(db, seen, visible.requests),
  ])
  return {
    requests: joinRequests(requests, others),
    transactions,
    orders,
    parts,
    quarantined,
    interventions: interventions.flat(),
    events,
    deliveries,
  }
}
