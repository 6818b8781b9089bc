/** Checks of what waits in the database: the lag of each step, and endpoints of webhooks that fail. */
import { readBacklog } from '#core/charging/backlog.ts'
import type { Database } from '#core/data/db.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { readSettlingLag } from '#core/transactions/settle/lag.ts'
import { readTimelineLag } from '#subgraphs/activity/projection/lag.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { durationText, excerptOf, type Finding, found } from './finding.ts'
import { lagFindings } from './lags.ts'

type Kinds = readonly TransactionKind[]

const readSettling = async (database: Database, kinds: Kinds) => {
  const all = await Promise.all(kinds.map(kind => readSettlingLag(database, kind)))
  return {
    seconds: Math.max(0, ...all.map(one => one?.lag ?? 0)),
    quarantined: all.reduce((sum, one) => sum + (one?.quarantined ?? 0), 0),
  }
}

const ordersLag = async ({ db }: Database, kinds: Kinds): Promise<number> => {
  const backlogs = await Promise.all(kinds.map(({ name }) => readBacklog(db, name)))
  return Math.max(0, ...backlogs.flat().map(({ ageSeconds }) => ageSeconds))
}

/** Reads how long the oldest overdue webhook has been due. One that is being sent, or waits for its next attempt, is not overdue. */
const overdueLag = async ({ db }: Database): Promise<number> => {
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    SELECT extract(epoch FROM statement_timestamp() - min(d.next_attempt_at))::float8 AS seconds
    FROM events.delivery d WHERE d.status = 'PENDING' AND d.attempts >= 0
      AND (d.lease IS NULL OR d.lease < statement_timestamp())`
  return Math.max(0, row?.seconds ?? 0)
}

/** Checks how long the oldest work has waited at each step. */
export async function checkLags(database: Database): Promise<readonly Finding[]> {
  const kinds = await loadKinds()
  const settling = await readSettling(database, kinds)
  return lagFindings(
    [
      { of: 'settling', seconds: settling.seconds },
      { of: 'orders', seconds: await ordersLag(database, kinds) },
      { of: 'timeline', seconds: await readTimelineLag(database.db, kinds) },
      { of: 'webhooks due', seconds: await overdueLag(database) },
    ],
    settling.quarantined,
  )
}

const ENDPOINTS = 'endpoints'
/** Largest number of endpoints that findings name. */
const MAX_NAMED = 5
/** Largest number of deliveries that are read: so many are enough to name the endpoints that fail. */
const MAX_ROWS = 20_000

interface EndpointRow {
  readonly clientId: string
  readonly origin: string
  readonly count: number
  readonly seconds: number
  readonly lastStatus: number | null
  readonly lastError: string | null
}

const answerOf = ({ lastStatus, lastError }: EndpointRow): string => {
  const status = lastStatus === null ? 'without an answer' : `answered ${lastStatus}`
  return lastError ? `${status}: ${excerptOf(lastError)}` : status
}

/** Reads the endpoints with webhooks that wait after failed attempts, those with the most first. */
const failingEndpoints = ({ db }: Database) => db.$queryRaw<EndpointRow[]>`
  SELECT d.client_id AS "clientId", d.origin, count(*)::int AS count,
    extract(epoch FROM statement_timestamp() - min(d.created_at))::float8 AS seconds,
    (array_agg(d.last_status ORDER BY d.position DESC))[1] AS "lastStatus",
    (array_agg(d.last_error ORDER BY d.position DESC))[1] AS "lastError"
  FROM (SELECT * FROM events.delivery WHERE status = 'PENDING' AND attempts > 0 LIMIT ${MAX_ROWS}) d
  GROUP BY d.client_id, d.origin ORDER BY count DESC, d.client_id, d.origin LIMIT ${MAX_NAMED}`

/** Counts webhooks of the last two days that were given up. */
const countDead = async ({ db }: Database): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT created_at FROM events.delivery WHERE status = 'DEAD' ORDER BY position DESC LIMIT ${MAX_ROWS}) d
    WHERE d.created_at > statement_timestamp() - interval '2 days'`
  return row!.count
}

/** Checks which endpoints of partners fail. */
export async function checkEndpoints(database: Database): Promise<readonly Finding[]> {
  const failing = await failingEndpoints(database)
  const dead = await countDead(database)
  const findings = failing.map(one =>
    found.degraded(
      ENDPOINTS,
      `${one.count} webhook(s) of ${one.clientId} to ${one.origin} wait after failed attempts, the oldest for ${durationText(one.seconds)}, the last ${answerOf(one)}: tell the partner; they are sent again by themselves.`,
    ),
  )
  if (dead > 0)
    findings.push(
      found.degraded(
        ENDPOINTS,
        `${dead} webhook(s) of the last two days were given up: see npm run cli -- webhooks list --status dead, and send them again with webhooks redeliver once their receivers answer.`,
      ),
    )
  return findings.length > 0 ? findings : [found.well(ENDPOINTS, 'No endpoint of a webhook fails.')]
}
