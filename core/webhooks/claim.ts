/**
 * Claims webhooks: one statement leases due rows of `events.delivery` to this process, for several clients at once. An
 * endpoint is the origin of a webhook's address; each endpoint of a client gets its share of the client's slots.
 */
import type { Access } from '../access/access.ts'
import { quotasOf } from '../access/principal.ts'
import { Prisma, type Statements } from '../data/db.ts'
import { clock, leaseEnd, ownersPerClaim, type Share, shareSlots } from '../queue/lease-queue.ts'
import { findDueClients, isDue } from './backlog.ts'
import type { EndpointHealth, KnownEndpoint } from './endpoint-health.ts'
import { IS_PAUSED } from './health-record.ts'
import type { NotifiedEvent } from './message.ts'
import { type EndpointTerms, TERMS } from './registered-endpoints.ts'

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery extends NotifiedEvent {
  readonly id: string
  readonly kind: string
  readonly clientId: string
  readonly url: string
  readonly origin: string
  readonly token: string | null
  /** The terms of the registered endpoint that it goes to. */
  readonly terms: EndpointTerms | null
  readonly attempts: number
  /** Place of the transaction's request in a trace. */
  readonly trace: string | null
  /** The end of the lease. It identifies the claim, since a later one has another. */
  readonly lease: Date
}

/** A delivery, and how many the claim might have taken for its endpoint. */
type FoundDelivery = ClaimedDelivery & { readonly free: number }

/** A client for which a claim may take deliveries. */
export interface ClientSlots extends Share {
  readonly clientId: string
  /** The endpoint at which the last claim stopped, where the client has more than one claim looks at; else empty. */
  readonly after: string
}

/** Limits of one claim. */
export interface DeliveryLimits {
  readonly clients: readonly ClientSlots[]
  /** The most attempts at a time to one endpoint of a client. */
  readonly perOrigin: number
  /** Endpoints with attempts in flight, or failing ones. */
  readonly known: readonly KnownEndpoint[]
  /** The kinds of transaction that this process knows to describe. */
  readonly kinds: readonly string[]
}

/** Deliveries that a claim took for a client. */
export interface ClientClaim {
  readonly deliveries: readonly FoundDelivery[]
  /** The last endpoint looked at, where more may follow; else null. */
  readonly reached: string | null
}

/** Lease of a delivery, in milliseconds: longer than an attempt (`TIME_LIMIT_MS`) and the recording of its outcome. */
export const LEASE_MS = 20_000

/**
 * The endpoints of each client with pending deliveries, found by skipping as the clients are. The walk begins where the last
 * claim ended, and ends after `last` steps.
 */
const ENDPOINTS = Prisma.sql`
  endpoint (client_id, origin, step, last) AS (
    SELECT client."clientId", (SELECT min(d.origin) FROM events.delivery d
      WHERE d.status = 'PENDING' AND d.client_id = client."clientId" AND d.origin > client.after), 1, client.steps FROM client
    UNION ALL
    SELECT endpoint.client_id, (SELECT min(d.origin) FROM events.delivery d
      WHERE d.status = 'PENDING' AND d.client_id = endpoint.client_id AND d.origin > endpoint.origin), endpoint.step + 1, endpoint.last
    FROM endpoint WHERE endpoint.origin IS NOT NULL AND endpoint.step < endpoint.last)`

const inputsOf = ({ clients, known }: DeliveryLimits) => Prisma.sql`
  client AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(clients.map(client => ({ ...client, steps: ownersPerClaim(client.slots) })))}::jsonb)
      AS c ("clientId" text, slots int, most int, after text, steps int)),
  known AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      AS k ("clientId" text, origin text, "inFlight" int, most int))`

/**
 * Each endpoint has an equal share of its client's slots, so that endpoints that never respond leave the others theirs.
 * Where a claim does not look at all endpoints, the share is one slot: then there are many.
 */
const sharesOf = ({ perOrigin }: DeliveryLimits) => Prisma.sql`
  share AS MATERIALIZED (
    SELECT client."clientId", client.slots, max(e.origin) FILTER (WHERE e.step = e.last) AS reached,
      CASE WHEN max(e.origin) FILTER (WHERE e.step = e.last) IS NOT NULL OR client.after <> '' THEN 1
        ELSE least(${perOrigin}::int, greatest(1, client.most / greatest(1, count(e.origin)::int))) END AS per_endpoint
    FROM client JOIN endpoint e ON e.client_id = client."clientId"
    GROUP BY client."clientId", client.slots, client.most, client.after)`

/** The endpoints that may have more attempts, in random order, so that none is always last: by digests, for Citus allows no `random()`. */
const freeSlots = (seed: string) => Prisma.sql`
  free AS MATERIALIZED (
    SELECT e."clientId", e.slots, array_agg(e.origin) AS origins, array_agg(e.free) AS free FROM (
      SELECT s."clientId", s.slots, e.origin, least(s.per_endpoint, k.most) - coalesce(k."inFlight", 0) AS free
      FROM share s JOIN endpoint e ON e.client_id = s."clientId"
      LEFT JOIN known k ON k."clientId" = e.client_id AND k.origin = e.origin
      WHERE e.origin IS NOT NULL AND NOT ${IS_PAUSED} ORDER BY md5(e.origin || ${seed}::text)) e
    WHERE e.free > 0 GROUP BY e."clientId", e.slots)`

/**
 * The due deliveries of an endpoint. Events of one transaction are sent one after the other, so a delivery waits while an
 * earlier one is pending. Rows are read in the index's own order; another one would sort all that waits to take the first few.
 * Only pending rows have a next attempt (`delivery_pending_is_due`), so that column is tested, row by row (`OFFSET 0`). A test
 * of the status would read all that waits wherever statistics were taken while nothing waited.
 */
const dueOf = (kinds: readonly string[], now: Prisma.Sql) => Prisma.sql`
  SELECT d.id, d.position FROM events.delivery d
  WHERE d.client_id = free."clientId" AND d.origin = e.origin AND ${isDue(kinds, now)}
    AND NOT EXISTS (SELECT 1 FROM events.delivery earlier WHERE earlier.transaction_id = d.transaction_id
      AND earlier.position < d.position AND earlier.next_attempt_at IS NOT NULL OFFSET 0)
  ORDER BY d.next_attempt_at
  LIMIT e.free FOR UPDATE SKIP LOCKED`

/**
 * Leases the due rows. `given` has the planner expect one of them (see `data/sql.ts`): for more it could read the table. The
 * terms of an endpoint are read beside it: on Citus an update may call nothing with its columns that is not immutable.
 */
const claimOf = (now: Prisma.Sql) => Prisma.sql`
  UPDATE events.delivery d
  SET lease = date_trunc('milliseconds', ${leaseEnd(LEASE_MS, now)})
  FROM due, events.event e WHERE due.given = 1 AND d.id = due.id AND e.position = due.position
  RETURNING due.free, d.id, d.kind, d.client_id AS "clientId", d.url, d.origin, d.token, d.endpoint_id, d.attempts, d.lease,
    d.transaction_id AS "transactionId", e.eventid, e.event_type AS "eventType", e.event_time AS "eventTime",
    e.status, e.description, e.client_correlator_id AS "clientCorrelatorId", e.payment_date AS "paymentDate", e.trace, e.detail`

type ClaimRow = { readonly owner: string; readonly reached: string | null } & (
  | FoundDelivery
  | { [name in keyof FoundDelivery]: null }
)

/** Claims due deliveries of these clients. Each is searched by itself, so that no client's backlog delays another. */
export async function claim(
  db: Statements,
  limits: DeliveryLimits,
  clockOffsetMs: number,
): Promise<Map<string, ClientClaim>> {
  const now = clock(clockOffsetMs)
  const rows = await db.$queryRaw<ClaimRow[]>`
    WITH RECURSIVE ${inputsOf(limits)}, ${ENDPOINTS}, ${sharesOf(limits)}, ${freeSlots(String(Math.random()))}, due AS MATERIALIZED (
      SELECT picked.*, 1 AS given FROM free CROSS JOIN LATERAL (
        SELECT one.*, e.free FROM unnest(free.origins, free.free) AS e (origin, free)
        CROSS JOIN LATERAL (${dueOf(limits.kinds, now)}) one LIMIT free.slots) picked),
    claimed AS (${claimOf(now)})
    SELECT share."clientId" AS owner, share.reached, ${TERMS} AS terms, d.*
    FROM share LEFT JOIN claimed d ON d."clientId" = share."clientId"`
  const isClaimed = (row: ClaimRow): row is ClaimRow & FoundDelivery => row.id !== null
  const byOwner = [...Map.groupBy(rows, row => row.owner)]
  return new Map(
    byOwner.map(([owner, found]) => [
      owner,
      { deliveries: found.filter(isClaimed), reached: found[0]!.reached },
    ]),
  )
}

export interface ClaimerOptions extends Pick<DeliveryLimits, 'perOrigin' | 'kinds'> {
  readonly db: Statements
  readonly access: Pick<Access, 'clients'>
  readonly endpoints: EndpointHealth
  /** The most attempts at a time of this process. */
  readonly capacity: number
  readonly clockOffsetMs: () => number
}

/** The most passes of a claim. A pass shares out the slots that the one before left; the next round gets the rest. */
const MAX_PASSES = 4

/** Whether a client may have more due deliveries: its share was used up, or not all of its endpoints were looked at. */
const hasMore = ({ slots, after }: ClientSlots, found: ClientClaim | undefined): boolean =>
  found?.deliveries.length === slots || Boolean(found?.reached) || after !== ''

/** Whether a claim took all that it might, by the endpoints of which it took some. */
const fullOf = ({ deliveries }: ClientClaim): Map<string, boolean> => {
  const counts = new Map<string, number>()
  const full = new Map<string, boolean>()
  for (const { origin, free } of deliveries) {
    const count = (counts.get(origin) ?? 0) + 1
    counts.set(origin, count)
    full.set(origin, count >= free)
  }
  return full
}

/** Claims due deliveries for all free slots, client by client. */
export class Claimer {
  readonly #options: ClaimerOptions
  /** The endpoint where the last claim stopped, for clients with more endpoints than one claim looks at. */
  readonly #reached = new Map<string, string>()

  constructor(options: ClaimerOptions) {
    this.#options = options
  }

  /**
   * @param start begins an attempt, and counts it as in flight before it returns.
   * @returns whether anything was due.
   */
  async claim(start: (delivery: ClaimedDelivery) => void): Promise<boolean> {
    const { db, kinds, clockOffsetMs, capacity, endpoints } = this.#options
    const due = await findDueClients(db, kinds, clockOffsetMs())
    endpoints.waiting(due)
    let waiting = due
    for (let pass = 0; pass < MAX_PASSES && waiting.length > 0; pass++) {
      const owners = await Promise.all(waiting.map(clientId => this.#waitingOf(clientId)))
      const shares = shareSlots(capacity - endpoints.inFlight, owners)
      if (shares.size === 0) break
      waiting = await this.#claimShares(shares, start)
    }
    return due.length > 0
  }

  async #waitingOf(clientId: string) {
    const { access, endpoints } = this.#options
    const { webhooksInFlight: quota } = quotasOf((await access.clients.find(clientId))?.quotas)
    return { owner: clientId, inFlight: endpoints.inFlightOf(clientId), quota }
  }

  /** Claims once with these shares; returns the clients that may have more. */
  async #claimShares(
    shares: ReadonlyMap<string, Share>,
    start: (delivery: ClaimedDelivery) => void,
  ): Promise<string[]> {
    const { db, endpoints, perOrigin, kinds, clockOffsetMs } = this.#options
    const afterOf = (clientId: string) => this.#reached.get(clientId) ?? ''
    const clients = [...shares].map(([clientId, share]) => ({ clientId, ...share, after: afterOf(clientId) }))
    const limits = { clients, perOrigin, kinds, known: endpoints.known(shares.keys()) }
    const found = await claim(db, limits, clockOffsetMs())
    for (const { deliveries } of found.values()) for (const delivery of deliveries) start(delivery)
    for (const { clientId } of clients) this.#remember(clientId, found.get(clientId)?.reached)
    const unfinished = clients.filter(client => {
      const own = found.get(client.clientId)
      const mayHaveMore = hasMore(client, own)
      if (own) endpoints.claimed(client.clientId, fullOf(own), mayHaveMore)
      return mayHaveMore
    })
    return unfinished.map(({ clientId }) => clientId)
  }

  #remember(clientId: string, reached: string | null | undefined): void {
    if (reached) this.#reached.set(clientId, reached)
    else this.#reached.delete(clientId)
  }
}
