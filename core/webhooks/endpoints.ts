/** Endpoints in trouble as clients read them: `Query.webhookEndpoints`, by client and origin. */
import { Prisma, type Statements } from '../data/db.ts'
import type { Health } from './registered-endpoints.ts'

/** An endpoint of a client with the last failure of its deliveries. */
export interface EndpointRow {
  readonly clientId: string
  readonly origin: string
  readonly retrying: number
  readonly dead: number
  readonly lastAttemptAt: Date | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly nextAttemptAt: Date | null
  readonly health: Health
  readonly healthSince: Date | null
}

/** The most that is shown, and the most rows that are looked at: of those to repeat, and of the dead. */
const MOST = { endpoints: 200, retrying: 20_000, dead: 10_000 }

const COLUMNS = Prisma.raw(`
  t.client_id, t.origin, t.status, t.position, t.last_status, t.last_error, t.next_attempt_at,
  (t.attempt_log -> -1 ->> 'at')::timestamptz AS attempted_at`)

/**
 * Reads the endpoints, where the most deliveries have died first.
 * @param visible the condition that the caller may see a delivery of a table called `t`.
 */
export const readEndpoints = (db: Statements, visible: Prisma.Sql): Promise<EndpointRow[]> =>
  db.$queryRaw<EndpointRow[]>`
    SELECT d.client_id AS "clientId", d.origin,
      count(*) FILTER (WHERE d.status = 'PENDING')::int AS retrying,
      count(*) FILTER (WHERE d.status = 'DEAD')::int AS dead,
      max(d.attempted_at) AS "lastAttemptAt",
      (array_agg(d.last_status ORDER BY d.attempted_at DESC NULLS LAST, d.position DESC))[1] AS "lastStatus",
      (array_agg(d.last_error ORDER BY d.attempted_at DESC NULLS LAST, d.position DESC))[1] AS "lastError",
      min(d.next_attempt_at) AS "nextAttemptAt", coalesce(min(h.health), 'HEALTHY') AS health, min(h.since) AS "healthSince"
    FROM (
      (SELECT ${COLUMNS} FROM events.delivery t
        WHERE t.status = 'PENDING' AND t.attempts > 0 AND ${visible} LIMIT ${MOST.retrying})
      UNION ALL
      (SELECT ${COLUMNS} FROM events.delivery t
        WHERE t.status = 'DEAD' AND ${visible} ORDER BY t.position DESC LIMIT ${MOST.dead})
      UNION ALL
      (SELECT t.client_id, t.origin, NULL, NULL, NULL, NULL, NULL, NULL FROM events.endpoint_health t
        WHERE t.health <> 'HEALTHY' AND ${visible} LIMIT ${MOST.endpoints})) d
    LEFT JOIN events.endpoint_health h ON h.client_id = d.client_id AND h.origin = d.origin
    GROUP BY 1, 2 ORDER BY 4 DESC, 3 DESC, 1, 2 LIMIT ${MOST.endpoints}`
