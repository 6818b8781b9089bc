/** Backlog of webhooks: clients that have some, how many wait or were given up, and how long the oldest has waited. */
import { Prisma, type Statements } from '../data/db.ts'
import type { LagMetrics } from '../observability/lag-metrics.ts'
import { clock, freeLeases, isFree } from '../queue/lease-queue.ts'

/** The most rows that are looked at: of one client, of all that wait, and of those that were given up. */
const MOST = { ofClient: 20_000, pending: 100_000, dead: 10_000 }

interface WebhookBacklog {
  readonly pending: number
  readonly retrying: number
  readonly dead: number
  readonly oldestSeconds: number | null
}

/**
 * The clients with pending deliveries, found by skipping from one to the next in the index `delivery_due`, instead of reading
 * all that waits. Old statistics would mislead the planner, so it is left no choice: `attempts >= 0` is true of every row but
 * allows that index, and the order is the index's own.
 */
const CLIENTS = Prisma.sql`
  client (id) AS (
    (SELECT d.client_id FROM events.delivery d WHERE d.status = 'PENDING' AND d.attempts >= 0
      ORDER BY d.client_id, d.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT (SELECT d.client_id FROM events.delivery d WHERE d.status = 'PENDING' AND d.attempts >= 0
      AND d.client_id > client.id ORDER BY d.client_id, d.next_attempt_at LIMIT 1)
    FROM client WHERE client.id IS NOT NULL)`

/** The condition that a delivery called `d` may be attempted, and is nobody's at the moment. */
export const isDue = (kinds: readonly string[], now: Prisma.Sql): Prisma.Sql => Prisma.sql`
  d.status = 'PENDING' AND d.next_attempt_at <= ${now}
    AND ${isFree(Prisma.sql`d.lease`, now)} AND d.kind = ANY (${kinds}::text[])`

/** Finds the clients with due deliveries. `OFFSET 0` tests each client by itself, by the same index. */
export const findDueClients = async (
  db: Statements,
  kinds: readonly string[],
  clockOffsetMs: number,
): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE ${CLIENTS}
    SELECT client.id FROM client WHERE client.id IS NOT NULL
      AND EXISTS (SELECT 1 FROM events.delivery d
        WHERE d.client_id = client.id AND d.attempts >= 0 AND ${isDue(kinds, clock(clockOffsetMs))} OFFSET 0)`
  return rows.map(({ id }) => id)
}

/** Reads the backlog of the kinds that this process sends, client by client in the order of an index. */
const readWebhookBacklog = async (db: Statements, kinds: readonly string[]): Promise<WebhookBacklog> => {
  const [row] = await db.$queryRaw<WebhookBacklog[]>`
    WITH RECURSIVE ${CLIENTS}, waiting AS (
      SELECT d.created_at, d.attempts FROM client CROSS JOIN LATERAL (
        SELECT d.created_at, d.attempts FROM events.delivery d
        WHERE d.client_id = client.id AND d.status = 'PENDING' AND d.attempts >= 0 AND d.kind = ANY (${kinds}::text[])
        ORDER BY d.next_attempt_at LIMIT ${MOST.ofClient}) d
      WHERE client.id IS NOT NULL LIMIT ${MOST.pending}),
    dead AS (
      SELECT d.kind FROM events.delivery d WHERE d.status = 'DEAD' ORDER BY d.position LIMIT ${MOST.dead})
    SELECT count(*)::int AS pending, count(*) FILTER (WHERE attempts > 0)::int AS retrying,
      extract(epoch FROM statement_timestamp() - min(created_at))::float8 AS "oldestSeconds",
      (SELECT count(*)::int FROM dead WHERE dead.kind = ANY (${kinds}::text[])) AS dead
    FROM waiting`
  return row!
}

/** Shows the backlog of these kinds in the metrics. */
export function watchWebhookBacklog(
  { webhooks }: Pick<LagMetrics, 'webhooks'>,
  db: Statements,
  kinds: readonly string[],
): void {
  webhooks.watch(kinds.join(), async () => {
    const { pending, retrying, dead, oldestSeconds } = await readWebhookBacklog(db, kinds)
    return [
      { gauge: 'deliveries', labels: { state: 'pending' }, value: pending },
      { gauge: 'deliveries', labels: { state: 'dead' }, value: dead },
      { gauge: 'retrying', value: retrying },
      { gauge: 'oldest', value: Math.max(0, oldestSeconds ?? 0) },
    ]
  })
}

/** Frees the deliveries that a killed process had in flight. Only on the embedded database, which no other process uses. */
export const freeDeliveries = (db: Statements): Promise<number> =>
  freeLeases(
    db,
    { table: Prisma.sql`events.delivery`, until: Prisma.sql`lease` },
    Prisma.sql`q.status = 'PENDING'`,
  )
