/** SQL on one connection, of either database: what migrations are applied by. */
import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/** Runs SQL, several statements too, on one connection; resolves with the rows of the last statement. */
export type RunSql = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** A statement ends where Prisma's adapter for PostgreSQL ended it. */
export const statementsOf = (sql: string): string[] =>
  sql
    .split(';')
    .map(statement => statement.trim())
    .filter(Boolean)

/** Runs SQL on an instance of PGlite. */
export const onPglite =
  (pglite: PGlite): RunSql =>
  async sql =>
    (await pglite.exec(sql)).at(-1)?.rows ?? []

const onClient =
  (client: pg.Client): RunSql =>
  async sql => {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(sql)
    return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? []
  }

/** The lock of Prisma's own command line, so that both take turns. */
const PRISMA_LOCK = 72_707_369

/** A statement of a process that is gone ends within this, and with it the locks on the tables it changed. */
const CHECK_CLIENT = `SET client_connection_check_interval = '1s'`

/**
 * Runs something on a connection of its own to PostgreSQL, while no other process migrates the database.
 * @param connectTimeoutMs how long the connection may take.
 */
export async function onMigratingConnection<T>(
  connectionString: string | undefined,
  connectTimeoutMs: number,
  work: (run: RunSql) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'partner-graph migrations',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const run = onClient(client)
    // Where the server's system cannot tell, it finds out with the statement's end.
    await run(CHECK_CLIENT).catch(() => undefined)
    await run(`SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock(${PRISMA_LOCK})`)
    return await work(run)
  } finally {
    await client.end()
  }
}
