/**
 * Health of endpoints as it is kept for all processes and shown to clients, by client and origin. It follows the attempts:
 * three failures in a row make an endpoint `FAILING`, a success makes it `HEALTHY`; both, and a pause, are events of the
 * account. It stops nothing by itself: how often a failing endpoint is tried is decided by the schedule, and in memory
 * (`endpoint-health.ts`).
 */
import { type Db, Prisma, type Statements } from '../data/db.ts'
import { valuesTable } from '../data/sql.ts'
import { type AccountEvent, appendAccountEvents } from '../events/account.ts'
import type { Health } from './registered-endpoints.ts'

/** Failures in a row that make an endpoint `FAILING`. */
export const FAILING_AFTER = 3

/** An endpoint of a client. */
export interface Endpoint {
  readonly clientId: string
  readonly origin: string
}

/** An attempt that counts, by its endpoint. */
interface EndpointAttempt extends Endpoint {
  readonly succeeded: boolean
}

interface Tally {
  readonly clientId: string
  readonly origin: string
  /** Failures of these attempts; since the last success where there was one. */
  readonly failures: number
  readonly succeeded: boolean
}

/** Adds up attempts, the earliest first, by endpoint. */
export const tallyOf = (attempts: readonly EndpointAttempt[]): Tally[] => {
  const byEndpoint = Map.groupBy(attempts, ({ clientId, origin }) => JSON.stringify([clientId, origin]))
  return [...byEndpoint.values()].map(ended => {
    const lastSuccess = ended.findLastIndex(({ succeeded }) => succeeded)
    const { clientId, origin } = ended[0]!
    return { clientId, origin, failures: ended.length - 1 - lastSuccess, succeeded: lastSuccess >= 0 }
  })
}

/** A change of health. */
interface Change {
  readonly clientId: string
  readonly origin: string
  readonly health: Health
  readonly previous: Health
}

const SENTENCES: Readonly<Record<Health, (origin: string) => string>> = {
  HEALTHY: origin => `The endpoint ${origin} takes webhooks again`,
  FAILING: origin => `The endpoint ${origin} has failed ${FAILING_AFTER} times in a row`,
  PAUSED: origin => `The endpoint ${origin} is paused: nothing is sent to it`,
}

const toEvent = ({ clientId, origin, health, previous }: Change): AccountEvent => ({
  kind: 'ENDPOINT',
  eventType: 'ENDPOINT_HEALTH_CHANGED',
  clientId,
  description: SENTENCES[health](origin),
  detail: { origin, health, previous },
})

const ENDPOINT = Prisma.sql`"clientId" text, origin text`
const TALLY = Prisma.sql`${ENDPOINT}, failures int, succeeded boolean`

/** Locks what is known of endpoints; a statement of its own, since Citus does not let one that locks rows pass them on. */
const lock = (tx: Statements, tallies: readonly Tally[]) => tx.$executeRaw`
  SELECT FROM events.endpoint_health h JOIN ${valuesTable(tallies, TALLY)} t ON t."clientId" = h.client_id AND t.origin = h.origin
  ORDER BY h.client_id, h.origin FOR UPDATE OF h`

/** Counts failures, and finds the endpoints whose health changes by them. A pause is ended by no attempt. */
const count = (tx: Statements, tallies: readonly Tally[]) => tx.$queryRaw<Change[]>`
  WITH tally AS MATERIALIZED (SELECT * FROM ${valuesTable(tallies, TALLY)} t),
  next AS MATERIALIZED (
    SELECT t."clientId", t.origin, coalesce(h.health, 'HEALTHY') AS previous,
      t.failures + CASE WHEN t.succeeded THEN 0 ELSE coalesce(h.failures, 0) END AS failures, h.client_id IS NOT NULL AS known
    FROM tally t LEFT JOIN events.endpoint_health h ON h.client_id = t."clientId" AND h.origin = t.origin),
  decided AS MATERIALIZED (
    SELECT *, CASE WHEN previous = 'PAUSED' THEN 'PAUSED' WHEN failures >= ${FAILING_AFTER}::int THEN 'FAILING'
      WHEN failures = 0 THEN 'HEALTHY' ELSE previous END AS health FROM next),
  written AS (
    INSERT INTO events.endpoint_health AS h (client_id, origin, health, since, failures)
    SELECT "clientId", origin, health, clock_timestamp(), failures FROM decided WHERE known OR failures > 0
    ON CONFLICT (client_id, origin) DO UPDATE SET health = excluded.health, failures = excluded.failures,
      since = CASE WHEN h.health = excluded.health THEN h.since ELSE excluded.since END)
  SELECT "clientId", origin, health, previous FROM decided WHERE health <> previous`

/** The condition that failures of one of these endpoints are counted since its last success. */
export const anyFailed = (endpoints: readonly Endpoint[]): Prisma.Sql => {
  const different = new Map(
    endpoints.map(({ clientId, origin }) => [`${clientId} ${origin}`, { clientId, origin }]),
  )
  return Prisma.sql`EXISTS (
    SELECT 1 FROM ${valuesTable([...different.values()], ENDPOINT)} t
    JOIN events.endpoint_health h ON h.client_id = t."clientId" AND h.origin = t.origin WHERE h.failures > 0)`
}

/**
 * Counts attempts for the health of their endpoints: each failure, and a success of an endpoint that had failed
 * (`anyFailed`); any other says nothing new. @returns whether events were written.
 */
export async function recordHealth(db: Db, attempts: readonly EndpointAttempt[]): Promise<boolean> {
  const tallies = tallyOf(attempts)
  if (tallies.length === 0) return false
  return db.$transaction(async tx => {
    await lock(tx, tallies)
    const changes = await count(tx, tallies)
    await appendAccountEvents(tx, changes.map(toEvent))
    return changes.length > 0
  })
}

/** Pauses an endpoint, or ends its pause, in the caller's transaction. @returns whether that changed anything. */
export async function setPaused(
  tx: Statements,
  { clientId, origin }: Pick<Change, 'clientId' | 'origin'>,
  paused: boolean,
): Promise<boolean> {
  const [before] = await tx.$queryRaw<{ health: Health }[]>`
    SELECT health FROM events.endpoint_health WHERE client_id = ${clientId} AND origin = ${origin} FOR UPDATE`
  const previous = before?.health ?? 'HEALTHY'
  if ((previous === 'PAUSED') === paused) return false
  const health = paused ? 'PAUSED' : 'HEALTHY'
  await tx.$executeRaw`
    INSERT INTO events.endpoint_health (client_id, origin, health, since, failures)
    VALUES (${clientId}, ${origin}, ${health}, clock_timestamp(), 0)
    ON CONFLICT (client_id, origin) DO UPDATE SET health = excluded.health, since = excluded.since, failures = 0`
  await appendAccountEvents(tx, [toEvent({ clientId, origin, health, previous })])
  return true
}

/** The condition that an endpoint `e` of a claim is paused. */
export const IS_PAUSED = Prisma.raw(`EXISTS (SELECT 1 FROM events.endpoint_health p
  WHERE p.client_id = e.client_id AND p.origin = e.origin AND p.health = 'PAUSED')`)
