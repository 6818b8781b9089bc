/** Questions to the server behind connections, over one that is not of the pool: what it is at work on, and what is left over. */
import type pg from 'pg'
import { type DatabaseHost, hostText } from '../config/database-address.ts'
import { backendOf } from '../third-party/pg.ts'
import type { HostsClient } from './hosts-client.ts'
import { createClient } from './postgres.ts'

const ASK_TIMEOUT_MS = 1_500

/** A connection whose server is asked. */
export interface Backend {
  readonly client: pg.Client
  /** When it was made, in milliseconds. */
  readonly connectedAt: number
}

/**
 * Finds of the processes $1, connected for $2 milliseconds, those of this pool: behind a balancer another server may be
 * asked, where the number is another's.
 */
const OURS = `
  SELECT s.pid, s.state, s.state_change FROM unnest($1::int[], $2::float8[]) AS watched (pid, age)
  JOIN pg_stat_activity s ON s.pid = watched.pid AND s.usename = session_user AND s.datname = current_database()
    AND abs(extract(epoch FROM clock_timestamp() - s.backend_start) * 1000 - watched.age) < 5000`

/**
 * Ends those that wait for us. An answer that was just sent may still be on its way: half a second is left to it. A pooler's
 * numbers are none of PostgreSQL's ($3): then nothing is ended.
 */
const END_WAITING = `
  WITH ours AS (${OURS})
  SELECT pid FROM ours
  WHERE state LIKE 'idle%' AND state_change < clock_timestamp() - interval '500 ms' AND pg_backend_pid() = $3::int
    AND pg_terminate_backend(pid)`

/** Ends what is left at PostgreSQL of connections that were not in use when they were given up. */
const END_UNUSED = `WITH ours AS (${OURS}) SELECT pg_terminate_backend(pid) FROM ours WHERE state = 'idle'`

const pidsAndAges = (all: readonly Backend[]) => [
  all.map(({ client }) => backendOf(client)),
  all.map(({ connectedAt }) => performance.now() - connectedAt),
]

/** Makes the connection to ask over, which is not connected yet. @param only the server to ask; else the one that serves. */
export const createAsker = (connectionString: string | undefined, only?: DatabaseHost): HostsClient => {
  const limits = { connectionTimeoutMillis: ASK_TIMEOUT_MS, query_timeout: ASK_TIMEOUT_MS }
  return createClient(connectionString, 'connections', { ...limits, ...(only && { only }) })
}

/** Ends the processes that wait for us at the asker's server. @returns the connections that they were of. */
export async function endWaiting<One extends Backend>(
  asker: pg.Client,
  silent: readonly One[],
): Promise<One[]> {
  const values = [...pidsAndAges(silent), backendOf(asker)]
  const { rows } = await asker.query<{ pid: number }>(END_WAITING, values)
  const ended = new Set(rows.map(({ pid }) => pid))
  return silent.filter(({ client }) => ended.has(backendOf(client)))
}

/** Ends what is left at the asker's server of connections that were not in use. */
export const endUnused = (asker: pg.Client, unused: readonly Backend[]): Promise<unknown> =>
  asker.query(END_UNUSED, pidsAndAges(unused))

/** Whether another server of the address serves, so that the one that does not answer has lost its place. */
export async function isReplaced(
  connectionString: string | undefined,
  server: DatabaseHost,
): Promise<boolean> {
  const other = createAsker(connectionString)
  try {
    await other.connect()
    return hostText(other.server) !== hostText(server)
  } catch {
    return false
  } finally {
    other.connection.stream.destroy()
  }
}
