/** Work that one process at a time may do: it holds an advisory lock of the database, and the others wait. */
import pg from 'pg'

/**
 * Runs `work` while no other process on this database runs work of the same name; waits for as long as one does.
 * @param onWait called once when another process is at it.
 */
export type WithAdvisoryLock = <T>(name: string, work: () => Promise<T>, onWait?: () => void) => Promise<T>

const CONNECT_TIMEOUT_MS = 5_000

/** Waiting is no fault, nor is resting while the work is done elsewhere. */
const NO_TIMEOUTS = 'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0'

/** The lock is the session's: it ends with the process that holds it, however that ends. */
const lock = async (client: pg.Client, name: string, onWait?: () => void): Promise<void> => {
  await client.query(NO_TIMEOUTS)
  const key = [`partner-graph ${name}`]
  const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS done', key)
  if (rows[0].done) return
  onWait?.()
  await client.query('SELECT pg_advisory_lock(hashtext($1))', key)
}

/**
 * Advisory locks on this PostgreSQL. Each has a connection of its own, so that the limits of transactions do not hold
 * for the work, nor those of statements for the waiting.
 */
export const advisoryLocksOn =
  (connectionString: string | undefined): WithAdvisoryLock =>
  async (name, work, onWait) => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: `partner-graph ${name}`,
    })
    client.on('error', () => undefined)
    await client.connect()
    try {
      await lock(client, name, onWait)
      return await work()
    } finally {
      await client.end()
    }
  }
