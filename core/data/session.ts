/**
 * The session behind a connection, as the server tells: its role, and whether a pooler stands between. A pooler in transaction
 * mode (PgBouncer) gives a connection another session of the server for each transaction, so that nothing may be kept in one.
 */
import type pg from 'pg'
import { SetupError } from '../errors/catalogue.ts'
import { backendOf, type StartupParameters } from '../third-party/pg.ts'

/** Role of a server, as the session sees it that asked. */
export interface ServerRole {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** A session as it was when the connection was made. */
export interface BackendSession extends ServerRole {
  readonly isPooled: boolean
}

interface SessionRow extends ServerRole {
  readonly pid: number
}

/**
 * The parameters that PgBouncer carries from one session of the server to the next, or needs itself; it refuses the others
 * unless it is told to drop them.
 */
const OF_POOLERS: ReadonlySet<string> = new Set([
  'user',
  'database',
  'replication',
  'application_name',
  'TimeZone',
])

/**
 * The parameters with which a session begins: all times are in UTC, as Prisma takes them for, whatever the server's own zone is.
 * @param isReduced to what a pooler knows.
 */
export const startupOf = (given: StartupParameters, isReduced: boolean): StartupParameters => {
  const all = Object.entries({ ...given, TimeZone: 'UTC' })
  return Object.fromEntries(isReduced ? all.filter(([name]) => OF_POOLERS.has(name)) : all)
}

/**
 * Limits with which a transaction begins over a pooler, which keeps none for a session.
 * @param ms the longest that a statement, or waiting for the next, may take.
 */
export const pooledLimits = (ms: number): string =>
  `; SET LOCAL statement_timeout = ${ms}; SET LOCAL idle_in_transaction_session_timeout = ${ms}`

/**
 * Asks for the session. PostgreSQL reports the role by itself, but a pooler repeats what the first of its sessions was told,
 * before a failover. A pooler is known by the number of the process, which it has to make up.
 */
export async function askSession(client: pg.Client): Promise<BackendSession> {
  const { rows } = await client.query<SessionRow>(`
    SELECT pg_catalog.pg_backend_pid() AS pid, pg_catalog.pg_is_in_recovery() AS "isStandby",
      pg_catalog.current_setting('transaction_read_only') = 'on' AS "isReadOnly"`)
  const { pid, isStandby, isReadOnly } = rows[0]!
  return { isStandby, isReadOnly, isPooled: pid !== backendOf(client) }
}

/** @throws SetupError where a pooler stands between, since what is done would be lost, or held for good, by some session of it. */
export function requireDirect({ isPooled }: Pick<BackendSession, 'isPooled'>, purpose: string): void {
  if (isPooled)
    throw new SetupError(
      `DATABASE_URL leads through a pooler, which cannot be used for ${purpose}: set DATABASE_DIRECT_URL to the address of PostgreSQL itself`,
    )
}

/** @throws SetupError where a session of a pooler takes writes, although the process asked for one that only reads. */
export function requireReadOnly({ isPooled, isReadOnly }: BackendSession): void {
  if (isPooled && !isReadOnly)
    throw new SetupError(
      "DATABASE_URL leads through a pooler, which does not pass on that READ_ONLY=1 only reads: name PostgreSQL itself, or set default_transaction_read_only = on for the pooler's sessions",
    )
}
